import { describe, expect, test } from 'vitest'
import { checkNewAct } from '../../../pipelines/review/new-act.ts'
import { requirePlainTexts } from '../../../pipelines/review/plain-texts.ts'
import { plainText } from '../../../primitives/plain-text.ts'

const TURNED = '\u202egnirts\u202c'

function refusalIn(details: object): string {
  try {
    requirePlainTexts(details, 'details')
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

describe('texts of a signed act or a definition', () => {
  test('may have lines, tabs and any letters', () => {
    requirePlainTexts({ text: 'one\n\ttwo: ünïcode 数', list: ['a', { b: 1, c: null, d: true }] }, 'details')
  })

  test.each([
    ['text', { text: TURNED }],
    ['text', { text: 'a\u0007b' }],
    ['text', { text: 'a\r\nb' }],
    ['content.definition.change_summary[1]', { content: { definition: { change_summary: ['fine', TURNED] } } }],
    ['name of a field', { [TURNED]: 'fine' }],
  ])('are refused at %s', (path, details) => {
    const message = refusalIn(details)
    expect([plainText(message), message.includes(path)]).toEqual([message, true])
  })
})

test.each(['=NEWS', 'news', 'N', '1NEWS', 'NEWS FLASH', `N${'E'.repeat(40)}`, ''])(
  'an override by the code %j is refused',
  (reason_code) => {
    const details = { reason_code, narrative: 'a reason' }
    expect(() => checkNewAct({ act: 'override', details })).toThrow('reason_code')
  },
)

test('an override by a code, and an act without one, are accepted', () => {
  checkNewAct({ act: 'override', details: { reason_code: 'NEWS_2', narrative: 'a reason' } })
  checkNewAct({ act: 'dispute', details: { text: 'a reason' } })
})
