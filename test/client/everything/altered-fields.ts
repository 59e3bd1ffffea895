import type { EverythingReport } from '../../../client/everything/report.ts'
import type { Alterations } from './altered-fetch.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test alters answers of every shape
type Any = any

/** Records of one kind in the answers: where they are, and which findings are about the altered one. */
export type AlteredKind = {
  /** Name in the list of fields that cannot be checked. */
  readonly kind: string
  /** Returns the record to alter; null: the answer has none. `path` follows /v1. */
  readonly recordIn: (path: string, body: Any) => Record<string, unknown> | null
  /** Whether the subject of a finding is the altered record. */
  readonly isSubject: (subject: string) => boolean
}

const first = (path: RegExp) => (asked: string, body: Any) => (path.test(asked) ? (body.data[0] ?? null) : null)
const only = (path: RegExp) => (asked: string, body: Any) => (path.test(asked) ? body.data : null)
const has =
  (...texts: string[]) =>
  (subject: string) =>
    texts.some((text) => subject.includes(text))
const PROPOSAL = /^\/governance\/proposals\/prp_[0-9a-f]+$/

/** Kinds that can be altered in one run, since a finding about one is no finding about another. */
export const ALTERED_KINDS: readonly AlteredKind[] = [
  { kind: 'index', recordIn: first(/^\/indexes$/), isSubject: has('idx_harbor,') },
  {
    kind: 'index_version',
    recordIn: first(/^\/indexes\/idx_harbor\/versions$/),
    isSubject: has('index_version ', 'idx_harbor@'),
  },
  { kind: 'constituents', recordIn: first(/\/constituents$/), isSubject: has('constituents ') },
  { kind: 'methodology', recordIn: first(/^\/methodologies$/), isSubject: has('methodology mth_harbor', '1.') },
  {
    kind: 'rating_methodology',
    recordIn: first(/^\/market-rating-methodologies$/),
    isSubject: has('methodology mth_market_rating', 'methodology altered'),
  },
  {
    kind: 'severity_methodology',
    recordIn: first(/^\/severity-methodologies$/),
    isSubject: has('methodology mth_event_severity', 'methodology altered'),
  },
  {
    kind: 'built_in_policy',
    recordIn: first(/^\/eligibility\/policies$/),
    isSubject: has('eligibility_policy ', 'eligibility policies'),
  },
  { kind: 'roster', recordIn: only(/^\/governance\/roster$/), isSubject: has('roster', 'version ') },
  {
    kind: 'policy',
    recordIn: only(/^\/governance\/policy$/),
    isSubject: has('policy, ', 'policy policy_', 'version '),
  },
  { kind: 'listed_proposal', recordIn: first(/^\/governance\/proposals$/), isSubject: has('in the list', 'prp_') },
  { kind: 'proposal', recordIn: only(PROPOSAL), isSubject: has('in its detail') },
  {
    kind: 'state_of_proposal',
    recordIn: (path, body) => (PROPOSAL.test(path) ? body.data.history[0] : null),
    isSubject: has(', record 1', 'proposal '),
  },
  { kind: 'notice', recordIn: first(/^\/governance\/notices$/), isSubject: has('notice', 'cmp_1.3') },
  { kind: 'rating', recordIn: first(/^\/ratings$/), isSubject: has('rat') },
  { kind: 'severity', recordIn: first(/^\/severity-assessments$/), isSubject: has('sev', 'asm_', 'sva_') },
  { kind: 'listed_complaint', recordIn: first(/^\/governance\/complaints$/), isSubject: has('cmp_1 in the list') },
  { kind: 'complaint', recordIn: only(/^\/governance\/complaints\/cmp_1$/), isSubject: has('cmp_1 in its detail') },
  {
    kind: 'act_on_complaint',
    recordIn: (path, body) => (/^\/governance\/complaints\/cmp_1$/.test(path) ? body.data.history[0] : null),
    isSubject: has('cmp_1.1', 'complaint ', 'acts on complaints'),
  },
]

/** Acts: one that does not verify ends what follows from them, so each is altered alone. */
export const ALTERED_ACT: AlteredKind = {
  kind: 'governance_act',
  recordIn: (path, body) => (path === '/governance/acts' ? body.data[2] : null),
  isSubject: () => true,
}

/** Returns another value that the field could have. */
export function altered(field: string, value: unknown): unknown {
  if (field === 'quality_state') return 'corrected'
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.length === 0 ? ['altered'] : value.slice(1)
  if (value !== null && typeof value === 'object') return alteredObject(field, value)
  const is_instant = /_at$|_from$|_to$|_date$|_end$/.test(field)
  if (value === null || value === undefined) return is_instant ? '2026-01-02T03:04:05Z' : 'altered'
  const text = String(value)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return `2024${text.slice(4)}`
  if (/^-?\d+(\.\d+)?$|^[0-9a-f]{64,}$/.test(text))
    return text.replace(/\d$|[a-f]$/, (last) => (last === '1' ? '2' : '1'))
  return `altered ${text}`
}

/** Returns an object with one member changed; one whose members the record names has another member. */
function alteredObject(field: string, value: object): object {
  const [member] = Object.entries(value)
  if (member === undefined || ['definition', 'parameters'].includes(field)) return { ...value, altered: 'yes' }
  const [name, nested] = member
  return { ...value, [name]: altered(name, nested) }
}

/** Level at a place of the list of an index. */
export function levelKind(place: number): AlteredKind {
  let id = ''
  return {
    kind: 'index_observation',
    recordIn: (path, body) => {
      const level = path === '/indexes/idx_harbor/prices' ? (body.data[place] ?? null) : null
      if (level !== null) id = level.observation_id
      return level
    },
    isSubject: (subject) => subject.includes(id),
  }
}

/** Fields that a record may leave out. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = { policy: ['drift_after'] }

/** Records of their own beside the fields of another: the states of one, and the quotes of a level, which are read anew if absent. */
const BESIDE = ['history', 'quotes']

/** Fields of each kind in the answers of a deployment. @param asked receives a change of answers, and asks for all of them */
export async function fieldsOf(
  kinds: readonly AlteredKind[],
  asked: (alterations: Alterations) => Promise<unknown>,
): Promise<ReadonlyMap<AlteredKind, readonly string[]>> {
  const fields = new Map<AlteredKind, readonly string[]>()
  await asked({
    api: (path, body) => {
      for (const one of kinds) {
        const record = one.recordIn(path, body)
        if (record !== null && !fields.has(one))
          fields.set(
            one,
            [...Object.keys(record), ...(OPTIONAL[one.kind] ?? [])].filter((name) => !BESIDE.includes(name)),
          )
      }
    },
  })
  return fields
}

/** Alters one field of the first record of each kind, once in a run: a list may be asked for more than once. */
export function alterFields(chosen: ReadonlyMap<AlteredKind, string>): Alterations {
  const done = new Map<AlteredKind, string>()
  return {
    api: (path, body) => {
      for (const [kind, field] of chosen) {
        const record = kind.recordIn(path, body)
        if (record === null || (done.get(kind) ?? path) !== path) continue
        done.set(kind, path)
        record[field] = altered(field, record[field])
      }
    },
  }
}

/** Returns the fields, by kind, whose change no finding names. */
export async function unfoundFields(
  kinds: ReadonlyMap<AlteredKind, readonly string[]>,
  verify: (alterations: Alterations) => Promise<EverythingReport>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const unfound: Record<string, string[]> = {}
  const isFound = (report: EverythingReport, { isSubject }: AlteredKind) =>
    report.failures.some(({ subject }) => isSubject(subject))
  const note = ({ kind }: AlteredKind, field: string) => {
    unfound[kind] = [...(unfound[kind] ?? []), field]
  }
  const longest = Math.max(...[...kinds.values()].map((fields) => fields.length))
  for (let n = 0; n < longest; n += 1) {
    const chosen = new Map(
      [...kinds].flatMap(([kind, fields]) => (n < fields.length ? [[kind, fields[n]!] as const] : [])),
    )
    const together = await verify(alterFields(chosen)).catch(() => null)
    for (const [kind, field] of chosen) {
      if (together !== null) {
        if (!isFound(together, kind)) note(kind, field)
        continue
      }
      // A run that ends at an unreadable answer has found the alteration. The others are then altered one by one.
      const alone = await verify(alterFields(new Map([[kind, field]]))).catch(() => null)
      if (alone?.ok === true) note(kind, field)
    }
  }
  return unfound
}
