import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { guidePathOf } from '../../api/pages/guide-files.ts'
import {
  ConstituentSchema,
  IndexSchema,
  LegSchema,
  MethodologySchema,
  VersionSchema,
} from '../../pipelines/index/definition-schema.ts'
import { parseDefinition } from '../../pipelines/index/parse-definition.ts'
import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { MarketObservation } from '../../protocol/resources/market-price.ts'
import { Trade } from '../../protocol/resources/trade.ts'
import { STATE_REASONS } from '../../vocabulary/index-level.ts'
import { BOOK_REASONS } from '../../vocabulary/market.ts'
import { houseFolder, ROOT, sourceFiles } from '../support/source-files.ts'

const documents = sourceFiles(['.md'])
const folders = new Set(sourceFiles(['.ts', '.mjs', '.sql', '.md', '.yaml']).map((file) => houseFolder(file.path)))

/** Pages that people read; the log of changes and the normative texts keep their wording. */
const pages = documents.filter(
  ({ path }) => !/^(CHANGELOG|datasets\/recorded\/.+\/|docs\/methodology\/\w+-1)/.test(path),
)

describe('documents name what exists', () => {
  test.each(documents)('$path: every path in backticks', ({ text }) => {
    const named = [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map((match) => match[1]!)
    const ours = named.filter((path) => folders.has(houseFolder(path)))
    expect(ours.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test.each(documents)('$path: every document named', ({ text }) => {
    const named = [...text.matchAll(/(?<![\w/])docs\/[\w/.-]*[\w/]/g)].map((match) => match[0])
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test.each(documents)('$path: every link inside the project', ({ path, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1]!)
    expect(links.filter((link) => !existsSync(join(ROOT, dirname(path), link)))).toEqual([])
  })

  test.each(documents)('$path: every link to a heading', ({ path, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
    const missing = links.filter(([, file, heading]) => {
      const target = file === '' ? path : join(dirname(path), file!)
      return existsSync(join(ROOT, target)) && !headingsOf(readFileSync(join(ROOT, target), 'utf8')).has(heading!)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })

  test.each(pages)('$path: a page is referred to by a link', ({ text }) => {
    const named = [...withoutCode(text).matchAll(/(?<![\w/([.])docs\/[\w/.-]+\.md/g)].map(([name]) => name)
    expect(named).toEqual([])
  })

  test.each(documents)('$path: every page of a running service', ({ text }) => {
    const named = [...text.matchAll(/`\/docs\/([\w/-]+)`/g)].map(([, page]) => page!)
    const guides = named.map((page) => /^guides\/(.+)$/.exec(page)?.[1] ?? null)
    const unknown = named.filter((page, at) =>
      guides[at] === null
        ? !/^(api|errors|files|guides|methodologies|stream)(\/|$)/.test(page)
        : guidePathOf(guides[at]!) === null,
    )
    expect(unknown).toEqual([])
  })

  test.each(documents)('$path: every error code and reason', ({ text }) => {
    const named = [...text.matchAll(/`((?:VALIDATION|INDEX|OBSERVATION|MARKET|WAREHOUSE)_[A-Z_]+)`/g)].map(
      (match) => match[1]!,
    )
    const reasons: readonly string[] = [...STATE_REASONS, ...BOOK_REASONS]
    expect(named.filter((code) => !(code in ERROR_CODES) && !reasons.includes(code))).toEqual([])
  })
})

describe('docs/index-definitions.md', () => {
  const text = readFileSync(join(ROOT, 'docs/index-definitions.md'), 'utf8')

  test('its whole file is a valid definition', () => {
    const [block] = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    const definition = parseDefinition(block![1]!, 'example')
    expect(definition.index.index_id).toBe('idx_demo')
    expect(definition.versions).toHaveLength(1)
  })

  test.each(Object.entries({ IndexSchema, MethodologySchema, VersionSchema, ConstituentSchema, LegSchema }))(
    'every key of %s is explained',
    (_name, schema) => {
      expect(
        Object.keys(schema.properties).filter((key) => !text.includes(`\`${key}\``) && !text.includes(`${key},`)),
      ).toEqual([])
    },
  )
})

test.each([
  ['record of a market-price history item', MarketObservation],
  ['record of a public trade', Trade],
])('docs/spec-gaps.md: the %s has the fields of its schema', (what, { properties }) => {
  const text = readFileSync(join(ROOT, 'docs/spec-gaps.md'), 'utf8')
  const [, fields] = new RegExp(`^\\| ${what} \\| ([^|]+) \\|`, 'm').exec(text)!
  const named = fields!.replace('in a detail also ', '').split(/[,;] /)
  expect(named.slice(0, Object.keys(properties).length)).toEqual(Object.keys(properties))
})

describe('walks through the code', () => {
  test.each([
    ['one-quote', 45],
    ['one-order', 40],
  ])('%s numbers and counts its files, at most %i', (name, files_max) => {
    const text = readFileSync(join(ROOT, `docs/internals/${name}.md`), 'utf8')
    const steps = [...text.matchAll(/^(\d+)\. \[([\w/.-]+)\]\(\.\.\/\.\.\/([\w/.-]+)\): /gm)]
    expect(steps.map(([, number]) => Number(number))).toEqual(steps.map((_, at) => at + 1))
    expect(steps.map(([, , shown]) => shown)).toEqual(steps.map(([, , , linked]) => linked))
    expect(new Set(steps.map(([, , shown]) => shown)).size).toBe(steps.length)
    expect(text).toContain(`These are ${steps.length} files.`)
    expect(steps.length).toBeLessThanOrEqual(files_max)
  })
})

/** Anchors of a page's headings, as code hosts make them. */
function headingsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '')
}
