import type { ErrorCode } from '../../primitives/error-codes.ts'
import { headers, OF_ALL } from './openapi-headers.ts'
import type { Refusals } from './openapi-refusals.ts'
import type { JsonObject } from './schema-components.ts'

/** Errors of a file of the log: its requests have neither key nor parameters. */
const ERRORS = [
  'VALIDATION_PARAMETER_UNKNOWN',
  'LOG_NOT_FOUND',
  'LOG_CORRUPT',
  'SERVICE_UNAVAILABLE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
] as const satisfies readonly ErrorCode[]

type LogFile = {
  readonly operation_id: string
  readonly summary: string
  readonly description: string
  readonly media_type: string
  /** Parameters of the path, by name. */
  readonly parameters: Readonly<Record<string, JsonObject>>
}

const TEXT = 'text/plain'
const BYTES = 'application/octet-stream'
const TILE_INDEX = {
  type: 'string',
  pattern: '^(x\\d{3}/)*\\d{3}(\\.p/\\d{1,3})?$',
  description: 'groups of three digits, all but the last with x before them; .p/<width> of a partial one',
  examples: ['000', 'x001/234', '000.p/12'],
} as const

/** Files of the log by path, in the layout of c2sp.org/tlog-tiles. */
const LOG_FILES: Readonly<Record<string, LogFile>> = {
  '/log/checkpoint': {
    operation_id: 'get_log_checkpoint',
    summary: 'Newest checkpoint of the log',
    description: 'Name, number of entries and root of the log, signed by its key, and by its witness if it has one.',
    media_type: TEXT,
    parameters: {},
  },
  '/log/vkey': {
    operation_id: 'get_log_vkey',
    summary: 'Verifier key of the log',
    description: 'The key that signs the checkpoints. Compare it by another channel before you trust it.',
    media_type: TEXT,
    parameters: {},
  },
  '/log/tile/{level}/{index}': {
    operation_id: 'get_log_tile',
    summary: 'Tile of the log',
    description: 'Up to 256 hashes of 32 bytes of one level of the tree. The index has slashes.',
    media_type: BYTES,
    parameters: { level: { type: 'integer', minimum: 0, maximum: 7 }, index: TILE_INDEX },
  },
  '/log/tile/entries/{index}': {
    operation_id: 'get_log_entries',
    summary: 'Entries of the log',
    description: 'Up to 256 entries, each after its length as a big-endian uint16. The index has slashes.',
    media_type: BYTES,
    parameters: { index: TILE_INDEX },
  },
}

/** Returns the paths of the files of the log, which are no JSON and so have no endpoint of /v1. */
export function logPaths(refusals: Refusals): Readonly<Record<string, JsonObject>> {
  const operations = Object.entries(LOG_FILES).map(([path, file]) => [path, { get: operationOf(file, refusals) }])
  return Object.fromEntries(operations) as Record<string, JsonObject>
}

function operationOf(file: LogFile, refusals: Refusals): JsonObject {
  const { operation_id, summary, description, media_type, parameters } = file
  return {
    operationId: operation_id,
    tags: ['Log'],
    summary,
    description,
    parameters: Object.entries(parameters).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    responses: {
      '200': {
        description: summary,
        headers: headers([...OF_ALL, 'Cache-Control']),
        content: { [media_type]: { schema: { type: 'string' } } },
      },
      ...refusals.show(ERRORS),
    },
    'x-rate-limit': { limit_class: 'market_data', cost: 1 },
  }
}
