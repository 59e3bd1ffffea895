/** A sentence of a page: line where its paragraph begins, from 1, its words and its text. */
export type Sentence = { readonly line: number; readonly words: number; readonly text: string }
/** A line of a page that is neither code nor part of a table; `line` counts from 1. */
export type ProseLine = { readonly line: number; readonly text: string }

const FENCE = /^\s*(```|~~~)/
const TABLE_ROW = /^\s*\|/
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s+/
/** Target of a reference link, such as `[name]: https://example.org`. */
const LINK_TARGET = /^\s*\[[^\]]+\]:\s/
/** Lines that end a paragraph and are no part of one: empty, heading, comment or tag, rule. */
const BREAK = /^\s*(?:$|#{1,6}\s|<|---+\s*$)/
/** Stops that end no sentence. */
const ABBREVIATION = /\b(?:e\.g|i\.e|vs|etc)\.$/
/** End of a sentence: a stop, what closes with it, then a space. A lower-case word never begins one. */
const SENTENCE_END = /[.!?][)\]*_"']*(?=\s+[^\sa-z])/g

/** Start and end of a part that `npm run docs` makes. */
const GENERATED = /^<!-- (generated|end): /
/** Navigation of a page: links to its headings. */
const CONTENTS = /^Contents: \[/

/** Lines of a Markdown page outside fenced and indented code, tables, link targets and generated parts. */
export function proseLines(page: string): ProseLine[] {
  let is_code = false
  let in_list = false
  let is_generated = false
  let after_break = true
  return page.split('\n').flatMap((text, at) => {
    if (FENCE.test(text)) {
      is_code = !is_code
      after_break = true
      return []
    }
    const part = GENERATED.exec(text)?.[1]
    if (part !== undefined) is_generated = part === 'generated'
    if (is_generated) return []
    if (is_code || TABLE_ROW.test(text) || LINK_TARGET.test(text)) return []
    if (/^ {4}.*\S/.test(text) && after_break && !in_list) return []
    if (LIST_ITEM.test(text)) in_list = true
    else if (/^\S/.test(text)) in_list = false
    after_break = BREAK.test(text)
    return [{ line: at + 1, text }]
  })
}

/** Sentences of a Markdown page's paragraphs and list items. Inline code is one word; targets of links are none. */
export function sentencesOf(page: string): Sentence[] {
  const paragraphs = paragraphsOf(page).filter(({ text }) => !CONTENTS.test(text))
  return paragraphs.flatMap(({ line, text }) =>
    splitSentences(
      text
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/\]\([^)]*\)/g, ']')
        .replace(/`[^`]+`/g, (code) => code.replace(/\s+/g, '\u00a0').replace(/[.!?]/g, '\u2024')),
    ).map((sentence) => ({ line, words: countWords(sentence), text: sentence })),
  )
}

function paragraphsOf(page: string): ProseLine[] {
  const paragraphs: { line: number; text: string }[] = []
  let last_line: number | null = null
  for (const { line, text } of proseLines(page)) {
    if (BREAK.test(text)) {
      last_line = null
      continue
    }
    const continues = last_line === line - 1 && !LIST_ITEM.test(text)
    if (continues) paragraphs.at(-1)!.text += ` ${text.trim()}`
    else paragraphs.push({ line, text: text.replace(LIST_ITEM, '').trim() })
    last_line = line
  }
  return paragraphs
}

function splitSentences(paragraph: string): string[] {
  const ends = [...paragraph.matchAll(SENTENCE_END)]
    .map((match) => match.index + match[0].length)
    .filter((end) => !ABBREVIATION.test(paragraph.slice(0, end)))
  return [0, ...ends].map((start, at) => paragraph.slice(start, ends[at]).trim()).filter((sentence) => sentence !== '')
}

function countWords(sentence: string): number {
  return sentence.split(/[ \t]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
