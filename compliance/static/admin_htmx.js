// htmx would write a style sheet into the page, which the page's own policy refuses. The theme brings those rules.
htmx.config.includeIndicatorStyles = false;
