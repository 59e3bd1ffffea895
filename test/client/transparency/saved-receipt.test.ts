import { describe, expect, test } from 'vitest'
import { ANSWERS } from '../../../client/contract/answers.ts'
import { verifySavedReceipt } from '../../../client/transparency/verify-saved.ts'
import { UNLOGGED } from '../../../pipelines/transparency/envelope-fields.ts'
import { keyText } from '../../../pipelines/transparency/signed-note.ts'
import { Meta, Page } from '../../../protocol/envelope.ts'
import { LOG_KEY } from '../../support/log/log-keys.ts'
import { savedReceipt } from '../../support/log/saved-receipt.ts'

const VKEY = keyText(LOG_KEY.key)
const FIELDS = ANSWERS['/governance/notices']![0].required!
const DATA = Object.fromEntries(FIELDS.map((field) => [field, `of ${field}`]))
const SAVED = savedReceipt('notice', DATA)
// biome-ignore lint/suspicious/noExplicitAny: a test alters any part of an answer
type Any = any
const altered = (alter: (answer: Any) => void) => {
  const answer = structuredClone(SAVED)
  alter(answer)
  return answer
}

type Path = readonly string[]

/** Returns the path of every field of an answer, objects and what is in them. */
function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [at]
  return [...(at.length === 0 ? [] : [at]), ...Object.entries(value).flatMap(([k, v]) => pathsOf(v, [...at, k]))]
}

/** Returns the object that has the last field of a path. */
function ownerOf(answer: Any, path: Path): Any {
  return path.slice(0, -1).reduce((object, field) => object[field], answer)
}

/** Returns another value of the same type. */
function another(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return [...value, 'more']
  if (typeof value === 'object') return { ...value, invented: true }
  return /^\d{4}-/.test(String(value)) ? '2031-01-01T00:00:00Z' : `${value}A`
}

/** Returns the sentence in which a saved answer names a path as not proven, or the error that refuses it; null: neither. */
function verdictOf(answer: unknown, path: Path): string | null {
  try {
    const { unproven } = verifySavedReceipt(answer, VKEY)
    return (
      unproven.find((sentence) =>
        sentence
          .split(': ')[0]!
          .split(', ')
          .some((one) => named(one, path)),
      ) ?? null
    )
  } catch (error) {
    return (error as { code?: string }).code ?? null
  }
}

/** A path names its own field, and an object with an invented field names that. */
function named(one: string, path: Path): boolean {
  const [, ...below] = path[0] === 'data' ? path : ['', ...path]
  return one === below.join('.') || one === [...below, 'invented'].join('.')
}

describe('every field of a saved answer is proven, refused or listed', () => {
  test('as it is, it lists what no record says', () => {
    const { unproven, unproven_fields, missing_fields } = verifySavedReceipt(SAVED, VKEY)
    expect([unproven.length, unproven_fields, missing_fields]).toEqual([3, [], []])
    expect(unproven[0]).toBe('meta.published_at, meta.request_id, meta.schema_version: no record of the log says them')
  })

  test.each(pathsOf(SAVED).map((path) => [path.join('.'), path] as const))('%s with another value', (_name, path) => {
    const answer = altered((one) => {
      const owner = ownerOf(one, path)
      owner[path.at(-1)!] = another(owner[path.at(-1)!])
    })
    expect(verdictOf(answer, path)).not.toBeNull()
  })

  test.each(pathsOf(SAVED).map((path) => [path.join('.'), path] as const))('%s removed', (_name, path) => {
    const answer = altered((one) => delete ownerOf(one, path)[path.at(-1)!])
    expect(verdictOf(answer, path)).not.toBeNull()
  })

  test.each([
    [
      'sealed_through that the seal contradicts',
      (one: Any) => (one.meta.receipt.sealed_through = '2031-01-01T00:00:00Z'),
    ],
    ['an instant of the answer before as_of', (one: Any) => (one.meta.published_at = '2020-01-01T00:00:00Z')],
    ['a character after the entry', (one: Any) => (one.meta.receipt.seal.entry += '=')],
    ['kinds beside a kind', (one: Any) => (one.meta.receipt.kinds = ['notice'])],
    ['a field of data that differs', (one: Any) => (one.data.title = 'another')],
  ])('false: %s', (_name, alter) => {
    expect(() => verifySavedReceipt(altered(alter), VKEY)).toThrow(expect.objectContaining({ code: 'PROOF_INVALID' }))
  })

  test('an invented field is no proven one, and what is gone is missing', () => {
    const answer = altered((one) => {
      one.meta.newest = true
      one.certified = true
      one.data = { title: one.data.title }
    })
    const { unproven_fields, missing_fields } = verifySavedReceipt(answer, VKEY)
    expect(unproven_fields).toEqual(['certified', 'meta.newest'])
    expect(missing_fields).toEqual([...FIELDS].filter((field) => field !== 'title').sort())
  })

  test('a signature of another key is named', () => {
    const answer = altered((one) => {
      one.meta.receipt.checkpoint += '— other.example AAAAAAAA\n'
    })
    expect(verifySavedReceipt(answer, VKEY).unproven.join()).toContain('signatures of other keys')
  })
})

test('the fields around the data are those of the contract', () => {
  const known = [...UNLOGGED.meta, 'as_of', 'receipt']
  expect(known.sort()).toEqual(Object.keys(Meta.properties).sort())
  expect([...UNLOGGED.page].sort()).toEqual(Object.keys(Page.properties).sort())
})
