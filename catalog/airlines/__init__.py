"""Airlines with their policies and dated changes: model, actions, screen."""
