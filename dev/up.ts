import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createLogger } from '../server/src/foundation/kernel/index.ts'
import { checkStart, openPlatform, serve } from '../server/src/main.ts'
import { ownConfig } from '../server/src/platform/cli/command.ts'
import { printAddresses, profilesOn } from '../server/src/platform/cli/serve.ts'
import { endWithLauncher, ownProcess, untilStopped } from '../server/src/platform/cli/signals.ts'
import type { Config } from '../server/src/platform/config/index.ts'
import { startDemoModule } from './demo/module.ts'
import { type Demo, seedDemo } from './demo/seed.ts'

/** `npm start`: the whole platform, with the demo unless it is switched off. */
endWithLauncher()
// The reader of its output may be gone: it still ends in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
try {
  const config = ownConfig(ownProcess)
  const { demo, solutionTests = demo } = config
  await up({ ...config, solutionTests })
} catch (error) {
  print(`Millrace could not start: ${(error as Error).message}`)
  process.exitCode = 1
}

async function up(config: Config): Promise<void> {
  const stopped = untilStopped(ownProcess.signal, () => config)
  await checkStart(config)
  const module = config.demo ? await startDemoModule() : undefined
  // The demo's module and this HTTP port, where modules of scripts are served: for the demo's
  // business alone.
  const moduleAllow = new Map<string, readonly string[]>()
  print(
    `Starting ${config.databaseUrl === undefined ? 'the embedded PostgreSQL' : 'the database'} ...`,
  )
  const logger = createLogger(config.logLevel)
  const platform = await openPlatform({
    config,
    moduleAllow,
    logger,
    owner: true,
  }).catch(async (error) => {
    await module?.close()
    throw error
  })
  const served = await serve(platform).catch(async (error) => {
    await platform.close()
    await module?.close()
    throw error
  })
  let devices: ChildProcess | undefined
  if (module !== undefined) {
    const demo = await seedDemo(platform, served, module.url, (businessId) => {
      moduleAllow.set(businessId, [module.address, new URL(served.httpUrl).host])
    })
    devices = startFleet(config, demo)
    print(welcome(demo, config))
  } else {
    await printAddresses(served, config, ownProcess)
  }
  if (config.compatibility.length > 0) print(profilesOn(config))
  await stopped
  print('\nStopping ...')
  devices?.kill('SIGTERM')
  await served.close()
  await module?.close()
  print('Stopped. Everything that was acknowledged is stored.')
}

function startFleet(config: Config, demo: Demo): ChildProcess {
  const script = join(import.meta.dirname, 'demo', 'fleet.ts')
  const tokens = join(config.dataDir, 'demo-fleet.json')
  const devices = fork(script, [demo.deviceHttp, demo.connector.host, tokens], { stdio: 'inherit' })
  devices.on('error', (error) => print(`The demo's devices: ${error.message}`))
  return devices
}

function welcome(demo: Demo, config: Config): string {
  const host = `-H 'Host: ${demo.connector.host}'`
  return `
Millrace is up.

  Console      ${demo.console}    ${demo.account.email}  ${demo.account.password}
  GraphQL      ${demo.graphql}
  Management   ${demo.api}
  Devices      ${demo.deviceHttp} (plain, developer mode), ${demo.deviceTls} (TLS)
  For tools    ${join(config.dataDir, 'demo.json')}

Three demo devices replay a year of Seattle's weather, an hour each second. Provision a
device, send a value and query it:

  ID=my-device-$RANDOM
  TOKEN=$(curl -s ${host} ${demo.deviceHttp}/provision/activate -d id=$ID)
  curl -i ${host} ${demo.deviceHttp}/vendor:v1/stack/alias \\
    -H "X-vendor-CIK: $TOKEN" -d 'data_in={"001":21.5}'
  sleep 1
  curl -s ${demo.graphql} -H 'Authorization: Automation ${demo.token}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query":"{ assets { name signals { name lastValue { timestamp value } } } }"}'

Three example solutions handle their events: scripts that name the readings, an application that
stores them, and alerts when a station grows too warm. Query the last readings, and the last
alerts in the local sink (see docs/using/example-solutions.md and docs/using/notifications.md):

  curl -s ${demo.stations}
  npx millrace notifications sink --business Demo --solution ${demo.solutions.alerts} --limit 2

Ctrl-C stops it; the next start finds its data again.`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
