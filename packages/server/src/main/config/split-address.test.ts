import { expect, test } from 'vitest'
import { isSplitAsMeant } from './split-address.ts'

test.each([
  'mongodb://db1,db2/crm?replicaSet=rs0',
  'mongodb://crm:p%40ss@db1,db2/crm?replicaSet=rs0',
  'mongodb+srv://crm:a:b@cluster.example.com/crm',
  'redis://:secret@127.0.0.1:6379/0',
  'smtps://user%40example.com:hunter2@mail.example.com:465',
  'mongodb://db/crm?authMechanismProperties=SERVICE_NAME:a@b/c',
  'sqlite:/srv/a@b/crm.sqlite',
])('%s is read as it was meant', (address) => {
  expect(isSplitAsMeant(address)).toBe(true)
})

test.each([
  'mongodb://crm:p@ss@db/crm',
  'mongodb://crm:pa/ss@db/crm',
  'redis://:a/b@127.0.0.1:6379',
  'smtp://user@example.com:hunter2@mail.example.com',
])('%s is refused: a part of it would be taken for the host', (address) => {
  expect(isSplitAsMeant(address)).toBe(false)
})
