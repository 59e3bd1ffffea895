import { COMPRESSIONS } from '../../connectors/archives/archive-file.ts'
import { FILE_NAMES } from '../../connectors/archives/file-names.ts'
import { ACCEPTED } from '../../connectors/archives/payloads/recorded-form.ts'
import { CONTENT_FIELDS, REQUEST_FIELDS, TIME_FIELDS } from '../../connectors/archives/payloads/wrapper.ts'
import { MAPPED_FIELDS, TIME_FORMATS } from '../../pipelines/venues/mapping/mapping.ts'
import { PAYLOAD_VENUES } from '../../pipelines/venues/payload-venues.ts'

/** Renders every endpoint that an import knows: by which features, and what counts as the receipt. */
export function renderEndpoints(): string {
  const sections = PAYLOAD_VENUES.flatMap((venue_id) => {
    const { endpoints, shapes, receipt } = ACCEPTED[venue_id]
    const unshaped = endpoints.filter((endpoint) => !shapes.some((shape) => shape.endpoint === endpoint))
    const rows = shapes.map(({ endpoint, known_by }) => `| \`${endpoint}\` | ${known_by} |`)
    const by_name = unshaped.length === 0 ? [] : [`| ${codes(unshaped)} | its name or request alone |`]
    return [
      `**\`${venue_id}\`**; receipt: ${receipt}.\n`,
      '| endpoint | known by |',
      '|---|---|',
      ...rows,
      ...by_name,
      '',
    ]
  })
  return [
    ...sections,
    `A wrapper holds the payload in ${codes(CONTENT_FIELDS)}, its receipt in ${codes(TIME_FIELDS)}, and its request in ${codes(REQUEST_FIELDS)}.`,
  ].join('\n')
}

/** Renders the names of files that mean something. */
export function renderFileNames(): string {
  const rows = FILE_NAMES.map(([name, archives, meaning]) => `| \`${name}\` | ${archives} | ${meaning} |`)
  const endings = COMPRESSIONS.map(({ ending, form }) => `\`${ending}\` (${form})`).join(' or ')
  return [
    `Each but a Parquet file may also end in ${endings}; of several copies the first of these is read, then the plain one.\n`,
    ...['| name | archive | meaning |', '|---|---|---|', ...rows],
  ].join('\n')
}

/** Renders the fields and the time formats of a mapping. */
export function renderMapping(): string {
  return [
    ...['| field | meaning |', '|---|---|'],
    ...Object.entries(MAPPED_FIELDS).map(([field, meaning]) => `| \`${field}\` | ${meaning} |`),
    ...['', '| `time.format` | form |', '|---|---|'],
    ...Object.entries(TIME_FORMATS).map(([format, meaning]) => `| \`${format}\` | ${meaning} |`),
  ].join('\n')
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ')
}
