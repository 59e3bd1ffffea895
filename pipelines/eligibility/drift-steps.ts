/**
 * Returns the commands by which the draft of a drift becomes a proposal, first to last: the notice, the command that drafts, and
 * docs/eligibility.md name the same ones.
 * @param file file of the draft
 */
export function driftSteps(file: string): readonly string[] {
  return [
    `tidemark governance diff ${file}`,
    `tidemark governance impact ${file} --key runner.pem`,
    `tidemark governance impact ${file} --key second_runner.pem --engine reference`,
    `tidemark governance propose ${file} --rationale "..." --key member.pem`,
  ]
}
