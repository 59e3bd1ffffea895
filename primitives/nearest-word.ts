/** Returns the word that a misspelled one is nearest to; null if more than a third of its letters differ. */
export function nearestWord(misspelled: string, words: readonly string[]): string | null {
  const measured = words.map((word) => ({ word, edits: editsBetween(misspelled, word) }))
  const nearest = measured.reduce<(typeof measured)[number] | null>(
    (best, one) => (best === null || one.edits < best.edits ? one : best),
    null,
  )
  return nearest !== null && nearest.edits * 3 <= nearest.word.length ? nearest.word : null
}

/** Returns the hint ` (did you mean X?)` for a misspelled word, with a space before it; '' where no word is near. */
export function didYouMean(misspelled: string, words: readonly string[]): string {
  const nearest = nearestWord(misspelled, words)
  return nearest === null ? '' : ` (did you mean ${nearest}?)`
}

/** Returns the fewest letters to insert, delete or replace that make one word of another (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1))
    }
  }
  return row.at(-1)!
}
