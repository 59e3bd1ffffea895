/**
 * The id of the nth attempt of a settlement. Whoever makes it gives it the same, so two that settle at once make one attempt.
 * @param attempt_number from 1
 */
export function attemptId(settlement_id: string, attempt_number: number): string {
  return `att_${settlement_id.slice(settlement_id.indexOf('_') + 1)}_${attempt_number}`
}
