import type { EverythingCheck } from '../../../client/everything/report.ts'
import type { VerifyEverythingOptions } from '../../../client/everything/verify-everything.ts'
import { checkpointText } from '../../../pipelines/transparency/checkpoint.ts'
import { keyText, noteOf } from '../../../pipelines/transparency/signed-note.ts'
import { EMPTY_ROOT } from '../../../pipelines/transparency/tree-hash.ts'
import { LOG_KEY, signedBy, testKey } from '../../support/log/log-keys.ts'
import type { Alterations } from './altered-fetch.ts'

type Fault = readonly [string, EverythingCheck, Partial<VerifyEverythingOptions>, Alterations]

const roster = (change: (data: Record<string, unknown>) => void): Alterations => ({
  api: (path, body) => {
    if (path === '/governance/roster') change(body.data)
  },
})
const acts = (change: (data: Record<string, unknown>[]) => void): Alterations => ({
  api: (path, body) => {
    if (path === '/governance/acts') change(body.data)
  },
})
type Assessed = {
  score: string
  level: string
  issuer: { kind: string }
  evidence: { measured?: string | undefined }[]
}
const assessments = (of: RegExp, change: (record: Assessed) => void): Alterations => ({
  api: (path, body) => {
    const records = (of.test(path) ? body.data : []) as Assessed[]
    records.filter(({ issuer }) => issuer.kind === 'model').forEach(change)
  },
})
const complaints = (change: (rows: { outcome: string; text: string }[]) => void): Alterations => ({
  api: (path, body) => {
    if (/^\/governance\/complaints\/cmp_1$/.test(path)) change(body.data.history)
  },
})
type QuotedLevel = { readonly quotes?: { market_id: string; outcome_id: string }[] }

/** A first record, or the only one, without one of its fields. */
const withoutField = (of: RegExp, field: string): readonly Fault[] => [
  [
    `that leaves out ${field} of ${of.source}`,
    'answers',
    {},
    {
      api: (path, body) => {
        if (of.test(path)) delete (Array.isArray(body.data) ? body.data[0] : body.data)[field]
      },
    },
  ],
]
const HISTORY = /^\/governance\/proposals\/prp_[0-9a-f]+$/

/** Answers of a service that lies or is damaged, and the check that finds it. */
export const FAULTS: readonly Fault[] = [
  [
    'whose roster has another text',
    'roster_chain',
    {},
    roster((data) => {
      data.signed_content = String(data.signed_content).replace('"threshold":1', '"threshold":2')
    }),
  ],
  ['whose roster does not follow from the trusted one', 'roster_chain', { root_hash: '0'.repeat(64) }, {}],
  [
    'whose policy names another one before it',
    'policy_chain',
    {},
    {
      api: (path, body) => {
        if (path === '/governance/policy') body.data.previous_hash = '0'.repeat(64)
      },
    },
  ],
  [
    'with an act that nobody signed',
    'act_signatures',
    {},
    acts((data) => {
      data[1]!.signature = '0'.repeat(128)
    }),
  ],
  [
    'with an act whose text was changed and signed by nobody',
    'act_signatures',
    {},
    acts((data) => {
      data[1]!.signed_text = String(data[1]!.signed_text).replace('"acted_at":"2', '"acted_at":"3')
    }),
  ],
  [
    'that leaves a vote out',
    'acts',
    {},
    acts((data) => {
      data.splice(
        data.findIndex(({ act }) => act === 'vote'),
        1,
      )
    }),
  ],
  [
    'that leaves its last act out',
    'complete',
    {},
    acts((data) => {
      data.pop()
    }),
  ],
  [
    'that leaves a notice out',
    'complete',
    {},
    {
      api: (path, body) => {
        if (path === '/governance/notices') body.data.shift()
      },
    },
  ],
  [
    'whose proposal has a state that does not follow from the acts',
    'decisions',
    {},
    {
      api: (path, body) => {
        if (HISTORY.test(path)) body.data.history.at(-1).state = 'vetoed'
      },
    },
  ],
  [
    'whose proposal is served otherwise than it was logged',
    'included',
    {},
    {
      api: (path, body) => {
        if (HISTORY.test(path)) body.data.history[0].rationale = 'another reason'
      },
    },
  ],
  [
    'whose rating does not follow from its figures',
    'ratings',
    {},
    assessments(/^\/ratings$/, (record) => {
      record.score = '12.34'
    }),
  ],
  [
    'whose rating has a figure that its hash does not cover',
    'ratings',
    {},
    assessments(/^\/ratings$/, ({ evidence }) => {
      for (const item of evidence) item.measured = item.measured?.replace(/\d/, '9')
    }),
  ],
  [
    'whose assessment has another level',
    'severity',
    {},
    assessments(/^\/severity-assessments$/, (record) => {
      record.level = record.level === 'SEV-1' ? 'SEV-2' : 'SEV-1'
    }),
  ],
  [
    'whose complaint has another outcome than its handler signed',
    'complaints',
    {},
    complaints((rows) => {
      rows.at(-1)!.outcome = 'rejected'
    }),
  ],
  [
    'whose complaint has another text than was filed',
    'complaints',
    {},
    complaints((rows) => {
      for (const row of rows) row.text = 'All is well.'
    }),
  ],
  [
    'whose handler took part in the matter',
    'complaints',
    {},
    acts((data) => {
      data.push({ ...data.find(({ act }) => act === 'vote'), actor_id: 'other' })
    }),
  ],
  [
    'whose complaint has no notice of its outcome',
    'complaints',
    {},
    {
      api: (path, body) => {
        if (path === '/governance/notices')
          body.data = body.data.filter(({ kind }: { kind: string }) => kind !== 'complaint_outcome')
      },
    },
  ],
  [
    'that leaves a rating out',
    'complete',
    {},
    {
      api: (path, body) => {
        if (path === '/ratings') body.data.pop()
      },
    },
  ],
  [
    'with a bit flipped in a tile of the log',
    'log',
    {},
    {
      log: (path, bytes) => {
        if (path.startsWith('tile/0/')) bytes[5]! ^= 1
      },
    },
  ],
  ...withoutField(/^\/governance\/acts$/, 'signed_text'),
  ...withoutField(HISTORY, 'vetoed_before'),
  ...withoutField(HISTORY, 'history'),
  ...withoutField(/^\/indexes\/[^/]+\/versions$/, 'governance'),
  ...withoutField(/^\/governance\/notices$/, 'source_ids'),
  ...withoutField(/^\/governance\/complaints\/cmp_1$/, 'reason'),
  [
    'whose list names a proposal that is none',
    'decisions',
    {},
    {
      api: (path, body) => {
        if (path === '/governance/proposals') body.data[0].proposal_id = 'prp_0'
      },
    },
  ],
  [
    'with a complaint about a kind that there is not',
    'answers',
    {},
    complaints((rows) => {
      for (const row of rows) Object.assign(row, { subject_kind: 'weather' })
    }),
  ],
  [
    'that does not say whether a list goes on',
    'answers',
    {},
    {
      api: (path, body) => {
        if (path === '/governance/acts') body.page = {}
      },
    },
  ],
  [
    'with a list that is none',
    'steps',
    {},
    {
      api: (path, body) => {
        if (path === '/ratings') body.data = null
      },
    },
  ],
  [
    'with a field that the contract does not have',
    'answers',
    {},
    acts((data) => {
      data[0]!.approved_by_oversight = true
    }),
  ],
  [
    'whose methodology has another name alone than in the list',
    'included',
    { since: null },
    {
      api: (path, body) => {
        if (/^\/methodologies\/[^/]+\/versions/.test(path)) body.data.name = 'Another'
      },
    },
  ],
  [
    'whose quotes are of another market',
    'levels',
    { since: null },
    {
      api: (path, body) => {
        const levels = /^\/indexes\/[^/]+\/prices$/.test(path) ? (body.data as QuotedLevel[]) : []
        for (const { quotes = [] } of levels) for (const quote of quotes) quote.market_id = 'mkt_0'
      },
    },
  ],
  [
    'whose quotes are of another outcome',
    'levels',
    { since: null },
    {
      api: (path, body) => {
        const levels = /^\/indexes\/[^/]+\/prices$/.test(path) ? (body.data as QuotedLevel[]) : []
        for (const { quotes = [] } of levels) for (const quote of quotes) quote.outcome_id = 'out_0'
      },
    },
  ],
  [
    'with a step that cannot be made',
    'steps',
    {},
    {
      api: (path, body) => {
        if (path === '/indexes') body.data[0].index_id = 'idx_none'
      },
    },
  ],
  ['that no witness of ours cosigned', 'witness', { witnesses: [keyText(testKey('witness.example/w2', 4).key)] }, {}],
  ['whose log was rolled back', 'consistency', { seen: signedHead(10 ** 6) }, {}],
  ['whose log has another history than we saw', 'consistency', { seen: signedHead(7) }, {}],
]

/** A signed checkpoint that the log never had. */
function signedHead(size: number): string {
  const text = checkpointText({ origin: LOG_KEY.key.name, size, root: EMPTY_ROOT })
  return noteOf({ text, signatures: [signedBy(LOG_KEY, text)] })
}
