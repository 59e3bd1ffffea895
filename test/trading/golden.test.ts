import { expect, test } from 'vitest'
import { readExamples, texts } from './support/examples.ts'
import { Played } from './support/played.ts'

const examples = readExamples('money.yaml')

test('there are at least thirty examples, each with a name of its own', () => {
  expect(examples.length).toBeGreaterThanOrEqual(30)
  expect(new Set(examples.map(({ name }) => name)).size).toBe(examples.length)
})

test.each(examples)('$name', (example) => {
  const played = new Played(example)
  for (const step of example.steps) played.step(step)
  for (const [account_id, fields] of Object.entries(example.balances ?? {})) {
    expect(texts(played.balance(account_id), fields)).toEqual(fields)
  }
  for (const [account_id, fields] of Object.entries(example.positions ?? {})) {
    expect(texts(played.position(account_id), fields)).toEqual(fields)
  }
  for (const [name, fields] of Object.entries(example.orders ?? {})) {
    expect(texts(played.order(name), fields)).toEqual(fields)
  }
  for (const [name, fields] of Object.entries(example.settlements ?? {})) {
    expect(texts(played.settlement(name), fields)).toEqual(fields)
  }
  if (example.market !== undefined) expect(played.status()).toBe(example.market)
  for (const [account_id, fees] of Object.entries(example.fees ?? {})) expect(played.fees(account_id)).toBe(fees)
})
