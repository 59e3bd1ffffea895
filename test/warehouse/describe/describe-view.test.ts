import { beforeAll, expect, test } from 'vitest'
import { COLUMN_MEANINGS } from '../../../vocabulary/meanings/column-meanings.ts'
import { VIEW_MEANINGS } from '../../../vocabulary/meanings/view-meanings.ts'
import { type DescribedView, describeViews } from '../../../warehouse/describe/describe-view.ts'
import { VIEW_NAMES } from '../../../warehouse/read/views.ts'
import { TABLE_NAMES } from '../../../warehouse/tables.ts'
import { refusalOf } from '../../support/refusal.ts'

let views: readonly DescribedView[]
const baseOf = (view: string) => view.replace(/_history$/, '')

beforeAll(async () => {
  views = await describeViews(VIEW_NAMES)
})

test('every view is described, and no other; every table is a view', () => {
  expect(Object.keys(VIEW_MEANINGS).sort()).toEqual([...new Set(VIEW_NAMES.map(baseOf))].sort())
  expect(TABLE_NAMES.filter((table) => VIEW_MEANINGS[table] === undefined)).toEqual([])
})

test('every real column has a meaning', () => {
  const silent = views.flatMap(({ view, columns }) =>
    columns.filter(({ meaning }) => meaning === null).map(({ column }) => `${view}.${column}`),
  )
  expect(silent).toEqual([])
})

test('every meaning is of a real column', () => {
  const real = (view: string) => views.filter((one) => baseOf(one.view) === view).flatMap((one) => one.columns)
  const invented = Object.entries(VIEW_MEANINGS).flatMap(([view, { columns }]) =>
    Object.keys(columns)
      .filter((name) => !real(view).some(({ column }) => column === name))
      .map((name) => `${view}.${name}`),
  )
  const shared = new Set(
    views.flatMap(({ view, columns }) =>
      columns
        .map(({ column }) => column)
        .filter((column) => VIEW_MEANINGS[baseOf(view)]!.columns[column] === undefined),
    ),
  )
  expect(invented).toEqual([])
  expect(Object.keys(COLUMN_MEANINGS).filter((name) => !shared.has(name))).toEqual([])
})

test('an unknown view is refused with the nearest one', async () => {
  const { code, message } = await refusalOf(describeViews(['index_observatoin']))
  expect(code).toBe('VALIDATION_USAGE_INVALID')
  expect(message).toContain('view is "index_observatoin" (did you mean index_observation?); allowed: market_quote, ')
})
