import { expect, test } from 'vitest'
import { countriesOf } from './countries.ts'

test('countries of today stand in the order of their names, and no group of countries is one', () => {
  const german = countriesOf('de')
  const codes = german.map(([code]) => code)
  expect(german).toContainEqual(['AT', 'Österreich'])
  expect(codes).toContain('GR')
  // The German Democratic Republic, the Soviet Union, the European Union.
  for (const absent of ['DD', 'SU', 'EU', 'ZZ']) expect(codes).not.toContain(absent)
  expect(codes.indexOf('AT')).toBeLessThan(codes.indexOf('PL'))
  expect(new Set(german.map(([, name]) => name)).size).toBe(german.length)
  expect(countriesOf('en')).toContainEqual(['AT', 'Austria'])
})
