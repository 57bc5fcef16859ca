/** A reporter of node:test: the file of each test that failed, one a line. */
export default async function* failedFiles(events) {
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.file !== undefined) yield `${data.file}\n`
  }
}
