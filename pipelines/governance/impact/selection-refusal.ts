/** Reasons of a selection that cannot be made, in words. A report is signed with the code alone. */
const REFUSALS: Readonly<Record<string, string>> = {
  GOVERNANCE_NOT_FOUND: 'the eligibility policy that it names is not published',
  INDEX_CAP_INFEASIBLE: 'the caps of the selected constituents cannot hold the whole weight of 1',
  INDEX_CAP_NO_CONVERGENCE: 'no weights of the selected constituents keep to the caps',
  INDEX_SOURCE_NOT_ELIGIBLE: 'a selected market is of a source that no index may use',
  VALIDATION_DEFINITION_INVALID: 'no market is selected, or the weighting rule has no data',
}

/** Returns why an index has no selection, with the code; null: it has one. */
export function selectionRefusal(code: string | null): string | null {
  if (code === null) return null
  const reason = REFUSALS[code]
  return reason === undefined ? code : `${reason} (${code})`
}
