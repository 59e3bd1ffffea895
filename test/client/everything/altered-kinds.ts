import type { AnswerSchema } from '../../../client/contract/answer-schema.ts'
import { ANSWERS } from '../../../client/contract/answers.ts'
import { routeOf } from '../../../client/everything/answer-fault.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test alters answers of every shape
export type Any = any
type Finding = { readonly check: string; readonly subject: string; readonly message: string }

/** Records of one kind in the answers: where they are, and which findings are about the altered one. */
export type AlteredKind = {
  /** Name in the list of fields that cannot be checked. */
  readonly kind: string
  readonly schema: AnswerSchema
  /** Returns the records of an answer, the first of them altered; `path` follows /v1. */
  readonly recordsIn: (path: string, body: Any) => readonly Record<string, unknown>[]
  /** Whether a finding is about the altered record. */
  readonly isFound: (finding: Finding) => boolean
}

type Place = {
  /** Read as the contract has it, below /v1. */
  readonly route: string
  /** Path of the answer, where only one of the read is meant. */
  readonly path?: string
  /** Field of the answer's record that has the records. */
  readonly inside?: string
  /** Number of the first record. */
  readonly from?: number
}

/** Returns a kind at a place. @param subjects parts of what findings about it name, beside those of the form of its answer */
function kindAt(kind: string, { route, path, inside, from = 0 }: Place, ...subjects: string[]): AlteredKind {
  const [whole, is_list] = ANSWERS[route]!
  const schema = inside === undefined ? whole : whole.properties![inside]!.items!
  const isOfForm = ({ check, subject, message }: Finding) =>
    check === 'answers' &&
    routeOf(subject.replace(/^GET ([^,]*).*$/, '$1')).path === route &&
    message.startsWith(`${inside}[`) === (inside !== undefined)
  return {
    kind,
    schema,
    recordsIn: (asked, body) => {
      if (routeOf(asked).path !== route || (path ?? asked) !== asked) return []
      if (inside !== undefined) return body.data[inside]
      return is_list ? body.data.slice(from) : [body.data]
    },
    isFound: (finding) => isOfForm(finding) || subjects.some((text) => finding.subject.includes(text)),
  }
}

const PROPOSAL = '/governance/proposals/{proposal_id}'
const COMPLAINT = '/governance/complaints/{complaint_id}'

/** Kinds that can be altered in one run, since a finding about one is no finding about another. */
export const ALTERED_KINDS: readonly AlteredKind[] = [
  kindAt('index', { route: '/indexes' }, 'idx_harbor,', 'index idx_'),
  kindAt(
    'index_version',
    { route: '/indexes/{index_id}/versions', path: '/indexes/idx_harbor/versions' },
    ...['index_version ', 'idx_harbor@', 'versions'],
  ),
  kindAt('constituents', { route: '/indexes/{index_id}/versions/{version_id}/constituents' }, 'constituents '),
  kindAt('methodology', { route: '/methodologies' }, 'methodology mth_harbor', '1.'),
  kindAt('rating_methodology', { route: '/market-rating-methodologies' }, 'methodology mth_market_rating'),
  kindAt('severity_methodology', { route: '/severity-methodologies' }, 'methodology mth_event_severity'),
  kindAt('built_in_policy', { route: '/eligibility/policies' }, 'eligibility_policy ', 'eligibility policies'),
  kindAt('roster', { route: '/governance/roster' }, 'roster', 'version '),
  kindAt('policy', { route: '/governance/policy' }, 'policy, ', 'policy policy_', 'version '),
  kindAt('listed_proposal', { route: '/governance/proposals' }, 'in the list', 'prp_'),
  kindAt('proposal', { route: PROPOSAL }, 'in its detail'),
  kindAt('state_of_proposal', { route: PROPOSAL, inside: 'history' }, ', record 1', 'proposal '),
  kindAt('notice', { route: '/governance/notices' }, 'notice', 'cmp_1.3'),
  kindAt('rating', { route: '/ratings' }, 'rat'),
  kindAt('severity', { route: '/severity-assessments' }, 'sev', 'asm_', 'sva_'),
  kindAt('listed_complaint', { route: '/governance/complaints' }, 'cmp_1 in the list', 'cmp_10'),
  kindAt('complaint', { route: COMPLAINT }, 'cmp_1 in its detail'),
  kindAt('act_on_complaint', { route: COMPLAINT, inside: 'history' }, 'cmp_1.1', 'complaint ', 'acts on complaints'),
]

/** Acts: one that does not verify ends what follows from them, so each is altered alone. */
export const ALTERED_ACT: AlteredKind = {
  ...kindAt('governance_act', { route: '/governance/acts', from: 2 }),
  isFound: () => true,
}

/** Level at a place of the list of an index. */
export function levelKind(place: number): AlteredKind {
  const route = { route: '/indexes/{index_id}/prices', path: '/indexes/idx_harbor/prices', from: place }
  const kind = kindAt('index_observation', route)
  let id = ''
  return {
    ...kind,
    recordsIn: (path, body) => {
      const levels = kind.recordsIn(path, body)
      if (levels[0] !== undefined) id = String(levels[0].observation_id)
      return levels
    },
    isFound: ({ subject }) => subject.includes(id),
  }
}

/** First quote behind the levels of an index, altered alone: several levels rest on it. */
export const LEVEL_QUOTE: AlteredKind = {
  kind: 'level_quote',
  schema: ANSWERS['/indexes/{index_id}/prices']![0].properties!.quotes!.items!,
  recordsIn: (path, body) =>
    path === '/indexes/idx_harbor/prices' ? body.data.flatMap((level: Any) => level.quotes ?? []) : [],
  isFound: () => true,
}
