CREATE TABLE `bookmarks` (
	`key` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session_key` integer NOT NULL,
	`entry_id` text NOT NULL,
	`created_at` text NOT NULL,
	FOREIGN KEY (`session_key`) REFERENCES `marked_sessions`(`key`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookmarks_by_session` ON `bookmarks` (`session_key`,`entry_id`);