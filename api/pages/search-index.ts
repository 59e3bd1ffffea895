import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { once } from '../../primitives/once.ts'
import { PRIVATE_TOPIC_NAMES, privateTopicOf } from '../../protocol/stream/private-topics.ts'
import { TOPIC_NAMES, topicOf } from '../../protocol/stream/topics.ts'
import type { ErrorText } from './error-pages.ts'
import { guideName, guidePaths } from './guide-files.ts'
import { renderedGuide } from './guides.ts'
import { operations } from './operations.ts'

/** One place that a search can find. */
export type SearchEntry = {
  /** Kind of the page, which the results show. */
  readonly kind: 'guide' | 'operation' | 'topic' | 'error'
  readonly url: string
  readonly title: string
  /** Title of the page that a section is on; '' for whole pages. */
  readonly page: string
  readonly text: string
}

/** Characters of a section that are searched: its beginning says what it is about. */
const TEXT_MAX = 280
/** The log of changes: its lines repeat the words of every other page. */
const UNSEARCHED = ['CHANGELOG.md']

/** Returns every page and section that can be found, with the beginning of its text. */
export function searchEntries(texts: ReadonlyMap<string, ErrorText>): readonly SearchEntry[] {
  return [...operationEntries(), ...topicEntries(), ...errorEntries(texts), ...guideEntries()]
}

function operationEntries(): readonly SearchEntry[] {
  return [...operations().values()].map(({ operation_id, method, path, summary, description, parameters }) => ({
    kind: 'operation',
    url: `/docs/api/${operation_id}`,
    title: summary,
    page: `${method} ${path}`,
    text: cut(`${operation_id} ${parameters.map(({ name }) => name).join(' ')} ${description}`),
  }))
}

function topicEntries(): readonly SearchEntry[] {
  return [...TOPIC_NAMES.map(topicOf), ...PRIVATE_TOPIC_NAMES.map(privateTopicOf)].map(({ topic, description }) => ({
    kind: 'topic',
    url: `/docs/stream/${topic}`,
    title: topic,
    page: 'Stream',
    text: cut(description),
  }))
}

function errorEntries(texts: ReadonlyMap<string, ErrorText>): readonly SearchEntry[] {
  return Object.keys(ERROR_CODES).map((name) => ({
    kind: 'error',
    url: `/docs/errors/${name}`,
    title: name,
    page: 'Errors',
    text: cut(texts.get(name)?.when ?? ''),
  }))
}

const guideEntries = once((): readonly SearchEntry[] =>
  guidePaths()
    .filter((path) => !UNSEARCHED.includes(path))
    .flatMap((path) => {
      const { title, sections } = renderedGuide(path)
      return sections.map((section, ordinal) => ({
        kind: 'guide' as const,
        url: `/docs/guides/${guideName(path)}${ordinal === 0 ? '' : `#${section.anchor}`}`,
        title: section.title,
        page: ordinal === 0 ? '' : title,
        text: cut(section.text),
      }))
    }),
)

function cut(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return plain.length <= TEXT_MAX ? plain : plain.slice(0, TEXT_MAX)
}
