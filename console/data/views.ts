/** Views of governance by their name in the address, with their titles. */
export const GOVERNANCE_VIEWS = {
  governance: 'Governance',
  roster: 'Roster',
  policy: 'Policy',
  notices: 'Notices',
  calendar: 'Calendar',
  restatements: 'Restatements',
  complaints: 'Complaints',
  rules: 'Market rules',
  eligibility: 'Eligibility',
  log: 'Log',
} as const
export type GovernanceView = keyof typeof GOVERNANCE_VIEWS

/** Lists of assessments. */
export const LIST_VIEWS = { ratings: 'Ratings', severity: 'Severity', review: 'Review queue' } as const

/** Further views of one index. */
export const INDEX_VIEWS = {
  chart: 'Chart',
  lineage: 'Lineage',
  factsheet: 'Factsheet',
  knowledge: 'What became known',
} as const

/** Other views that an address can name; without one the page shows indexes, one index or one market. */
export const VIEWS: Readonly<Record<string, string>> = {
  ...GOVERNANCE_VIEWS,
  ...LIST_VIEWS,
  ingest: 'Ingest',
  trade: 'Trade',
  markets: 'Markets',
  events: 'Events',
  debug: 'Signature debugger',
}
