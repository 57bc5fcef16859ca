import type { Page } from 'playwright-core'
import type { OpenedFleet } from './fleet.ts'

/** An action of a person in the console, from a click to what it shows. */
export type Step = {
  readonly name: string
  /** Not measured: the page that is shown before. */
  readonly before?: (page: Page, fleet: OpenedFleet) => Promise<unknown>
  readonly take: (page: Page, fleet: OpenedFleet) => Promise<unknown>
}

/** The last digits of a device that fleets of every size have. */
const rare = '799'
/** The device that was provisioned first. */
const device = 'device-0'

const connectorPath = ({ connectorId }: OpenedFleet) => `/connectors/${connectorId}`

type Ready = (page: Page) => Promise<unknown>

/** Opens a page and waits until it shows what it is opened for. */
const shows =
  (path: (fleet: OpenedFleet) => string, ready: Ready) =>
  async (page: Page, fleet: OpenedFleet) => {
    await page.goto(`${fleet.httpUrl}${path(fleet)}`)
    await ready(page)
  }

const aRow: Ready = (page) => page.locator('main tbody tr').first().waitFor()
const aSection: Ready = (page) => page.locator('main section').first().waitFor()
const words =
  (text: string): Ready =>
  (page) =>
    page.getByRole('main').getByText(text).first().waitFor()

const overview = shows(() => '/', words('Assets'))

const rows = (name: string, path: (fleet: OpenedFleet) => string): Step => ({
  name,
  take: shows(path, aRow),
})

/** Devices of a filter, with how many match. */
const filtered = (name: string, search: string): Step => ({
  name: `devices, ${name}`,
  take: shows(
    (fleet) => `${connectorPath(fleet)}?${search}`,
    async (page) => {
      await aRow(page)
      await page
        .getByText(/^[\d,]+ of [\d,]+$/)
        .first()
        .waitFor()
    },
  ),
})

export const steps: readonly Step[] = [
  { name: 'overview', take: overview },
  rows('connectors', () => '/connectors'),
  rows('devices', connectorPath),
  {
    name: 'devices, next page',
    before: shows(connectorPath, aRow),
    async take(page) {
      const first = await page.locator('main tbody a').first().innerText()
      await page.getByRole('button', { name: 'Next page' }).click()
      await page.locator('main tbody a').first().filter({ hasNotText: first }).waitFor()
    },
  },
  filtered('tagged', 'tag=site:north'),
  filtered('locked', 'status=locked'),
  filtered('of a usual status', 'status=devmode'),
  filtered('online', 'online=yes'),
  filtered('offline', 'online=no'),
  filtered('of a network', 'address=10.0.0.0/24'),
  filtered('rare letters', `text=${rare}`),
  filtered('letters of all', 'text=device'),
  {
    name: 'lock all of a tag, the preview',
    before: shows((fleet) => `${connectorPath(fleet)}?tag=site:north`, aRow),
    async take(page) {
      await page.locator('main tbody').getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await page.getByRole('dialog').getByText('Lock:').waitFor()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'search by Ctrl-K',
    before: overview,
    async take(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(rare)
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
  },
  rows('device', (fleet) => `${connectorPath(fleet)}/devices/${device}`),
  rows('log of the connector', (fleet) => `${connectorPath(fleet)}/log`),
  {
    name: 'certificates of the connector',
    take: shows((fleet) => `${connectorPath(fleet)}/certificates`, aSection),
  },
  {
    name: 'content of the connector',
    take: shows((fleet) => `${connectorPath(fleet)}/content`, aSection),
  },
  rows('assets', () => '/assets'),
  rows('assets, the twentieth page', () => '/assets?page=20'),
  rows('assets of a group', ({ groupId }) => `/assets?group=${groupId}`),
  rows('assets, rare letters', () => `/assets?text=${rare}`),
  rows('assets, letters of all', () => '/assets?text=device'),
  rows('assets of a level', () => '/assets?level=CRITICAL'),
  rows('conditions', () => '/conditions'),
  { name: 'asset', take: shows(({ assetId }) => `/assets/${assetId}`, words('temperature')) },
]
