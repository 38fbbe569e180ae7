import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeWorkFolder, removeLeftFolders } from './work-folders.ts'

const mark = '0123456789ab'

test('folders of processes that have ended are removed, with what they hold; those of this process and of others stay', async () => {
  const parent = await mkdtemp(path.join(tmpdir(), 'crmkit-left-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const own = path.basename(await makeWorkFolder(parent, 'archive'))
  const ended = spawnSync(process.execPath, ['-e', '']).pid
  const running = `crmkit-work-${process.ppid}-${mark}-archive-x`
  const stay = [own, running, 'crmkit-other', `crmkit-work-x-${mark}-archive`].sort()
  // In a container the process before had the same number.
  const left = [`crmkit-work-${ended}-${mark}-exp_1-x`, `crmkit-work-${process.pid}-${mark}-archive-x`]
  for (const name of [...stay, ...left]) {
    await mkdir(path.join(parent, name), { recursive: true })
    await writeFile(path.join(parent, name, 'part'), 'a person')
  }
  expect(await removeLeftFolders(parent)).toBe(left.length)
  expect((await readdir(parent)).sort()).toEqual(stay)
})
