import { totalmem } from 'node:os'
import { visitorsCluster } from './client.ts'

const gib = 1024 ** 3

/**
 * Returns the arguments of the server. All settings are here, and none in the files of the data
 * directory, so that a new version of the platform brings its own.
 */
export function settings(
  socketDir: string,
  owner: boolean,
  access: Readonly<Record<string, string>>,
): string[] {
  const chosen = {
    ...access,
    listen_addresses: '',
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    cluster_name: owner ? 'millrace' : visitorsCluster,
    max_connections: '200',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: totalmem() < 4 * gib ? '128MB' : '256MB',
    max_wal_size: '4GB',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_checkpoints: 'off',
    // An error of a statement goes to its sender; the log is about the server itself.
    log_min_messages: 'log',
  }
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
