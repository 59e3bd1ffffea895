import { expect, test } from 'vitest'
import { once } from '../../primitives/once.ts'

test('a value is made when it is first asked for, and once, even where it is undefined', () => {
  let made = 0
  const value = once(() => {
    made += 1
    return undefined
  })
  expect(made).toBe(0)
  expect([value(), value(), made]).toEqual([undefined, undefined, 1])
})

test('what could not be made is made again', () => {
  let asked = 0
  const value = once(() => {
    asked += 1
    if (asked === 1) throw new Error('not yet')
    return 'made'
  })
  expect(value).toThrow('not yet')
  expect(value()).toBe('made')
})
