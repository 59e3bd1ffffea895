import Type, { type Static } from 'typebox'
import { parseDocument } from 'yaml'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { ProposalKind } from '../../vocabulary/governance.ts'
import { CORRECTION_REASONS, GOVERNED_STATUSES } from '../../vocabulary/index-level.ts'
import { At, CLOSED, Name, orNull, Text } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'
import { methodologyHash } from '../index/methodology.ts'
import { resolveParameters } from '../index/parameters.ts'
import type { Change } from './proposal.ts'

const StatusForm = Type.Object(
  {
    index_status: Type.Object(
      {
        index_id: Name,
        status: Type.Union(
          GOVERNED_STATUSES.map((status) => Type.Literal(status)),
          { description: GOVERNED_STATUSES.join(', ') },
        ),
        effective_from: At,
      },
      CLOSED,
    ),
  },
  CLOSED,
)
const CessationForm = Type.Object(
  {
    cessation: Type.Object(
      { index_id: Name, effective_from: At, final_value: Text, substitute_index_id: orNull(Name) },
      CLOSED,
    ),
  },
  CLOSED,
)
const MethodologyForm = Type.Object(
  {
    methodology: Type.Object(
      {
        methodology_id: Name,
        version: Text,
        name: Text,
        parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
        supersedes_version: Type.Optional(orNull(Text)),
      },
      CLOSED,
    ),
  },
  CLOSED,
)
const RestatementForm = Type.Object(
  {
    restatement: Type.Object(
      {
        index_id: Name,
        from: At,
        to: At,
        cause: Type.Union(
          CORRECTION_REASONS.map((reason) => Type.Literal(reason)),
          { description: CORRECTION_REASONS.join(', ') },
        ),
      },
      CLOSED,
    ),
  },
  CLOSED,
)

/** Ticks of an index in [from, to) that somebody wishes to restate, and why. */
export type RestatementWish = Static<typeof RestatementForm>['restatement']

/** Content of a proposal that a file describes. */
export type ProposedContent = { readonly kind: ProposalKind; readonly content: Change['content'] }

/** Reports whether a file is the definition of an index. */
export function isIndexDefinition(text: string): boolean {
  return keysOf(text).includes('index')
}

/** Reads a file with a `restatement`, whose levels follow from records; null: it has another change. */
export function parseRestatement(text: string, name: string): RestatementWish | null {
  return keysOf(text).includes('restatement') ? readForm(RestatementForm, text, name).restatement : null
}

/**
 * Reads a file with a change whose content it has: `index_status`, `cessation` or `methodology`.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID
 */
export function parseChange(text: string, name: string): ProposedContent {
  const keys = keysOf(text)
  if (keys.includes('index_status')) {
    const { index_status } = readForm(StatusForm, text, name)
    return { kind: 'index_status', content: withStart(index_status) }
  }
  if (keys.includes('cessation')) {
    const { cessation } = readForm(CessationForm, text, name)
    return { kind: 'cessation', content: withStart(cessation) }
  }
  if (keys.includes('methodology')) {
    const { parameters = {}, supersedes_version = null, ...named } = readForm(MethodologyForm, text, name).methodology
    const texts = resolveParameters(parameters)
    const set = Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null))
    const content = { ...named, supersedes_version, parameters: set, content_hash: methodologyHash(texts) }
    return { kind: 'methodology', content }
  }
  const allowed = 'index with methodology and versions, index_status, cessation, methodology, or restatement'
  throw notAllowed('VALIDATION_DEFINITION_INVALID', `keys of ${name}`, keys.join(', ') || 'none', allowed)
}

function withStart<F extends { readonly effective_from: string }>(form: F): F {
  return { ...form, effective_from: formatMicros(toMicros(form.effective_from, 'effective_from')) }
}

function keysOf(text: string): readonly string[] {
  const value: unknown = parseDocument(text, { schema: 'failsafe' }).toJS()
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
