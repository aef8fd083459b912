CREATE TABLE `archived_sessions` (
	`session_key` integer PRIMARY KEY NOT NULL,
	`archived_at` text NOT NULL,
	FOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade
);
