import mongoose from 'mongoose'

const counted = ['find', 'insert', 'update', 'delete', 'findAndModify', 'aggregate', 'commitTransaction']

/** Counts the commands that a mongod gets from everybody, with those of background jobs. */
export interface CommandCounter {
  /** Returns the commands since the mongod started. */
  count(): Promise<number>
  close(): Promise<void>
}

export async function openCommandCounter(url: string): Promise<CommandCounter> {
  const connection = await mongoose.createConnection(url).asPromise()
  const admin = connection.getClient().db('admin')
  return {
    async count() {
      const status = await admin.command({ serverStatus: 1, repl: 0, locks: 0 })
      return counted.reduce((all, name) => all + Number(status['metrics'].commands[name]?.total ?? 0), 0)
    },
    close: () => connection.close(),
  }
}
