import { environment, root, run } from './install.mjs'

/**
 * Runs test files in one process. It ends after the last test even if a failed one left a socket
 * or a timer behind: without that the runner would wait for ever, and would not print its report.
 * @returns the exit code: 0 if all passed.
 */
export function runTests(node, files, engine) {
  const flags = ['--test-isolation=none', '--test-force-exit', '--test-reporter=spec']
  return run(node, ['--test', ...flags, ...files], {
    cwd: root,
    env: { ...environment, ...engine },
  })
}
