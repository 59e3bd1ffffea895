import { MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'

/**
 * Longest time between two quotes of a book that messages still change below its best levels. It is half of the age at which a
 * book no longer counts (mark.book_max_age, methodology index-1 §4), so a book that stands is never taken for an old one.
 */
const CONFIRM_EVERY: Micros = 30 * MICROS_PER_SECOND

/**
 * Returns whether a message of a book whose best levels did not move is due as a quote: the book stands, which confirms them.
 * @param quoted_at source time of the last quote
 */
export function isConfirmationDue(quoted_at: Micros, source_at: Micros): boolean {
  return source_at - quoted_at >= CONFIRM_EVERY
}
