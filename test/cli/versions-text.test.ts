import { expect, test } from 'vitest'
import { versionsText } from '../../cli/commands/index-apply.ts'

test.each([
  [[], 'none'],
  [['2'], 'version 2'],
  [['1', '2.1'], 'versions 1, 2.1'],
])('versions %j are shown as %s, which is no count', (names, text) => {
  expect(versionsText(names)).toBe(text)
})
