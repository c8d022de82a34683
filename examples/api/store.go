package api

import (
	"fmt"
	"slices"
	"strconv"
)

type user struct {
	id          int
	name, email string
}

type order struct {
	id, userID int
	item       string
}

var users = []user{
	{1, "Ada Lovelace", "ada@example.com"},
	{2, "Grace Hopper", "grace@example.com"},
	{3, "Hedy Lamarr", "hedy@example.com"},
	{4, "Katherine Johnson", "katherine@example.com"},
	{5, "Mary Jackson", "mary@example.com"},
}

var orders = []order{
	{101, 1, "punched cards"},
	{102, 2, "wire, one nanosecond long"},
	{103, 1, "ink"},
	{104, 3, "piano rolls"},
	{105, 1, "cogwheels"},
}

func findUser(id string) (user, error) {
	i := slices.IndexFunc(users, func(u user) bool { return strconv.Itoa(u.id) == id })
	if i < 0 {
		return user{}, fmt.Errorf("user %q: %w", id, ErrNotFound)
	}
	return users[i], nil
}

func findOrder(id string) (order, error) {
	i := slices.IndexFunc(orders, func(o order) bool { return strconv.Itoa(o.id) == id })
	if i < 0 {
		return order{}, fmt.Errorf("order %q: %w", id, ErrNotFound)
	}
	return orders[i], nil
}

func ordersOf(u user) []order {
	return slices.DeleteFunc(slices.Clone(orders), func(o order) bool { return o.userID != u.id })
}
