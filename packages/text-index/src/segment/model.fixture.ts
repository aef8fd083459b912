import { splitWords, tokenize } from "../analysis/tokens.ts";
import { type DocumentOrigin, fieldTerm, type Segment, type SegmentBuilder } from "./segment.ts";

/** A document as a test tells it. */
export interface TestDocument {
  origin: DocumentOrigin;
  texts: string[];
  fields: [field: string, value: string][];
}

/** Documents by term, each with its positions; a field has none, and an identifier no documents. */
export type TermModel = Map<string, [document: number, positions: number[]][]>;

export function build(builder: SegmentBuilder, documents: readonly TestDocument[]): void {
  for (const { origin, texts, fields } of documents) {
    builder.begin(origin);
    for (const text of texts) builder.addText(text);
    for (const [field, value] of fields) builder.addField(field, value);
  }
}

/** What a segment of these documents has to hold. */
export function modelOf(documents: readonly TestDocument[]): { terms: TermModel; lengths: number[] } {
  const terms: TermModel = new Map();
  const add = (term: string, document: number, position: number | null): void => {
    const list = terms.get(term) ?? [];
    terms.set(term, list);
    let last = list.at(-1);
    if (last?.[0] !== document) {
      last = [document, []];
      list.push(last);
    }
    if (position !== null) last[1].push(position);
  };
  const lengths = documents.map(({ texts, fields }, document) => {
    let position = 0;
    for (const text of texts) {
      if (position > 0) position++;
      for (const { term } of tokenize(text)) add(term, document, position++);
      for (const { term, parts } of splitWords(text)) {
        if (parts.length > 0) terms.set(`id:${term} ${parts.map((part) => part.term).join(" ")}`, []);
      }
    }
    for (const [field, value] of fields) add(fieldTerm(field, value), document, null);
    return position;
  });
  return { terms, lengths };
}

/** All that a segment holds. */
export function contentOf(segment: Segment): { terms: TermModel; lengths: number[] } {
  const terms: TermModel = new Map();
  for (const postings of segment.range("", "\uffff".repeat(300))) {
    const { documents, frequencies } = postings.list();
    const cursor = postings.positions();
    const list = [...documents].map((document, index): [number, number[]] => {
      const positions = [...cursor.in(document)];
      const hasAll = positions.length === frequencies[index] || positions.length === 0;
      if (!hasAll) throw new Error(`${postings.term} has other positions than its frequency in ${document} tells.`);
      return [document, positions];
    });
    terms.set(postings.term, list);
  }
  return { terms, lengths: [...segment.documents.lengths] };
}

export function originsOf({ documents }: Segment): DocumentOrigin[] {
  return Array.from({ length: documents.count }, (_, at) => {
    const timestamp = documents.timestamps[at] ?? Number.NaN;
    return {
      key: documents.keys[at] ?? -1,
      ordinal: documents.ordinals[at] ?? -1,
      part: documents.parts[at] ?? -1,
      code: documents.codes[at] ?? -1,
      timestamp: Number.isNaN(timestamp) ? null : timestamp,
    };
  });
}
