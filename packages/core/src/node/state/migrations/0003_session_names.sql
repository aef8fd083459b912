CREATE TABLE `session_names` (
	`session_key` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade
);
