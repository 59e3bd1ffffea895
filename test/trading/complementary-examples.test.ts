import { describe, expect, test } from 'vitest'
import { type Example, readExamples, texts } from './support/examples.ts'
import { Played } from './support/played.ts'
import { PlayedModel } from './support/played-model.ts'

const examples = [...readExamples('complementary.yaml'), ...readExamples('counterexamples.yaml')]

test('every worked example and counterexample is there, under a name of its own', () => {
  const names = examples.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const id of ['C1', 'C2', 'C3', 'C4', 'C5', 'C6', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(names.some((name) => name.startsWith(`${id} `))).toBe(true)
})

describe.each([
  ['the engine', (example: Example) => new Played(example, true)],
  ['the slow model', (example: Example) => new PlayedModel(example)],
] as const)('%s', (_, begin) => {
  test.each(examples)('$name', (example) => {
    const played = begin(example)
    for (const step of example.steps) played.step(step)
    const of = { balances: 'balance', positions: 'position', orders: 'order' } as const
    for (const [group, ask] of Object.entries(of) as [keyof typeof of, 'balance' | 'position' | 'order'][]) {
      for (const [name, fields] of Object.entries(example[group] ?? {})) {
        expect({ [name]: texts(played[ask](name), fields) }).toEqual({ [name]: fields })
      }
    }
    for (const [account_id, expected] of Object.entries(example.fills ?? {})) {
      expect(played.fills(account_id)).toBe(expected)
    }
    if (example.pool !== undefined) expect(played.pool()).toEqual(example.pool)
  })
})
