// Package tasks is what the service does, in whatever framework: tasks in memory, who
// has which key, and the page of its own UI.
package tasks

import (
	"cmp"
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"sync"
)

//go:embed ui
var files embed.FS

// UI has the pages of the service's own UI.
func UI() fs.FS {
	ui, _ := fs.Sub(files, "ui") // the name is valid
	return ui
}

// Errors that clients see.
var (
	ErrNoTask   = errors.New("no such task")
	ErrNoKey    = errors.New("send your key as Api-Key")
	ErrNoAdmin  = errors.New("only admins may do this")
	ErrNotFound = errors.New("not found")
)

// Task is a task, and its body.
type Task struct {
	ID    int    `json:"id"`
	Title string `json:"title"`
	Owner string `json:"owner"`
	Done  bool   `json:"done"`
}

// URL returns the URL of a task.
func URL(prefix string, id int) string { return fmt.Sprintf("%s/tasks/%d", prefix, id) }

// Service is the tasks of all users. It is safe for concurrent use.
type Service struct {
	mu    sync.Mutex
	tasks map[int]Task
	last  int
}

// New returns a service with two tasks.
func New() *Service {
	s := &Service{tasks: make(map[int]Task)}
	s.Create(Task{Title: "Paint the fence", Owner: "ann"})
	s.Create(Task{Title: "Call Bob", Owner: "ann", Done: true})
	return s
}

// ClientOf returns who has a key, "" for nobody. The UI has a key of its own.
func (s *Service) ClientOf(key string) string {
	return map[string]string{"1": "ann", "2": "shop", "3": "admin", "4": "ui"}[key]
}

// List returns all tasks.
func (s *Service) List() []Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.tasks), func(a, b Task) int { return cmp.Compare(a.ID, b.ID) })
}

// Find returns the task whose ID is in a path. The error is ErrNoTask.
func (s *Service) Find(id string) (Task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, _ := strconv.Atoi(id) // no task has the ID 0
	task, ok := s.tasks[n]
	if !ok {
		return task, ErrNoTask
	}
	return task, nil
}

// Create adds a task, and returns its ID.
func (s *Service) Create(task Task) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	task.ID = s.last
	s.tasks[task.ID] = task
	return task.ID
}

// Update changes the task with the ID. The error is ErrNoTask.
func (s *Service) Update(id string, change func(*Task)) error {
	task, err := s.Find(id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&task)
	s.tasks[task.ID] = task
	return nil
}

// Remove removes the tasks that match.
func (s *Service) Remove(match func(Task) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.tasks, func(_ int, task Task) bool { return match(task) })
}

// Export writes all tasks as CSV.
func (s *Service) Export(w io.Writer) error {
	out := csv.NewWriter(w)
	for _, task := range s.List() {
		_ = out.Write([]string{strconv.Itoa(task.ID), task.Title, task.Owner, strconv.FormatBool(task.Done)}) // Error returns it
	}
	out.Flush()
	return out.Error()
}
