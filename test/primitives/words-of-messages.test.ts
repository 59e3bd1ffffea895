import { expect, test } from 'vitest'
import { fieldPath } from '../../primitives/field-path.ts'
import { nearestWord } from '../../primitives/nearest-word.ts'

test.each([
  ['', 'the file'],
  ['/index', 'index'],
  ['/versions/0/constituents/12/legs/1', 'versions[0].constituents[12].legs[1]'],
  ['/0/name', '[0].name'],
  ['/parameters/a~1b~0c', 'parameters.a/b~c'],
])('the pointer %j is shown as %s', (pointer, path) => {
  expect(fieldPath(pointer, 'the file')).toBe(path)
})

const VENUES = ['kalshi', 'manifold', 'polymarket', 'usgs']
test.each([
  ['manifol', 'manifold'],
  ['Manifold', 'manifold'],
  ['klashi', 'kalshi'],
  ['polymarkets', 'polymarket'],
  ['usg', 'usgs'],
  ['v', null],
  ['elsewhere', null],
  ['', null],
])('%j is nearest to %s', (word, nearest) => {
  expect(nearestWord(word, VENUES)).toBe(nearest)
})

test('there is no nearest word where there is no word', () => {
  expect(nearestWord('manifold', [])).toBeNull()
})
