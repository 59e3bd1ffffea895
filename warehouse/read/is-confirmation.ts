/**
 * Returns the condition on a row that it only confirms the one before it, which pipelines/revisions/economic-difference.ts has for rows
 * in memory. Earlier releases stored such rows as revisions.
 * @param row  name of the relation, with its point; empty: the only one
 */
export function isConfirmationSql(row = ''): string {
  return `(${row}confirms_id is not null or ${row}correction_reason is not distinct from 'CONFIRMED')`
}
