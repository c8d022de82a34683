package tasks

import "strings"

// TaskV2 is the body of a task in v2.
type TaskV2 struct {
	Self  string `json:"self"`
	Title string `json:"title"`
	Owner Owner  `json:"owner"`
	Done  bool   `json:"done"`
}

// Owner is who has a task.
type Owner struct {
	Name string `json:"name"`
}

// ListV2 is the body of several tasks in v2.
type ListV2 struct {
	Tasks []TaskV2 `json:"tasks"`
}

// NewTaskV2 returns the body of a task.
func NewTaskV2(task Task, self string) TaskV2 {
	return TaskV2{Self: self, Title: task.Title, Owner: Owner{task.Owner}, Done: task.Done}
}

// NewListV2 returns the body of the tasks whose title has the text.
func NewListV2(tasks []Task, text string, url func(id int) string) ListV2 {
	list := ListV2{Tasks: []TaskV2{}}
	for _, task := range tasks {
		if strings.Contains(task.Title, text) {
			list.Tasks = append(list.Tasks, NewTaskV2(task, url(task.ID)))
		}
	}
	return list
}
