import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitStatements } from '../../../cli/sql/split-statements.ts'

test.each([
  ['select 1', [], 'select 1'],
  ['select 1;', ['select 1'], ''],
  ['select 1; select 2;\nselect', ['select 1', 'select 2'], 'select'],
  [";;select 'a;b';", ["select 'a;b'"], ''],
  ["select 'it''s;';", ["select 'it''s;'"], ''],
  ['select "a;b";', ['select "a;b"'], ''],
  ['select $$a;b$$, $x$;$$;$x$;', ['select $$a;b$$, $x$;$$;$x$'], ''],
  ['select 1 -- no; end\n;', ['select 1 -- no; end'], ''],
  ['select /* ; */ 1;', ['select /* ; */ 1'], ''],
  ["select 'open;", [], "select 'open;"],
  ['select 1; /* open;', ['select 1'], '/* open;'],
])('%j', (text, statements, rest) => expect(splitStatements(text)).toEqual({ statements, rest }))

const piece = fc.constantFrom('select 1', "'a;b'", '"c;d"', '$$e;f$$', '-- g;h\n', '/* i;j */', ' ', ';', 'x')

test('typed line by line or at once, the statements are the same', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const at_once = splitStatements(pieces.join(''))
      const found: string[] = []
      let typed = ''
      for (const text of pieces) {
        const { statements, rest } = splitStatements(typed + text)
        found.push(...statements)
        typed = rest
      }
      expect(found.map(bare)).toEqual(at_once.statements.map(bare))
    }),
  )
})

/** A statement without the space at its ends, which its place in the text decides. */
function bare(statement: string): string {
  return statement.trim()
}
