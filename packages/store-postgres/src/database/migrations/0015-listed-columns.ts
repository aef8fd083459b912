/** What lists look at beside what they had: a filter looks for words in first messages too. */
export const LISTED_COLUMNS = `
ALTER TABLE sessions ADD COLUMN first_message text;
`;
