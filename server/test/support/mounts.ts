import { execFileSync } from 'node:child_process'

/** Whether a test can give an instance a disk of its own: as root, on Linux. */
export function mayMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
