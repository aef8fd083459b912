CREATE TABLE `notes` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_key` integer NOT NULL,
	`entry_id` text NOT NULL,
	`text` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notes_by_session` ON `notes` (`session_key`,`entry_id`);