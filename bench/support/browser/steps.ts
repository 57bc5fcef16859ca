import type { Page } from 'playwright-core'
import type { OpenedFleet } from './fleet.ts'

/** What a person does in the console, from a click to what it shows. */
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

const open = (page: Page, { httpUrl }: OpenedFleet, path: string) => page.goto(`${httpUrl}${path}`)
const row = (page: Page) => page.locator('main tbody tr').first().waitFor()
const text = (page: Page, words: RegExp) => page.getByText(words).first().waitFor()
const connectorOf = ({ connectorId }: OpenedFleet) => `/connectors/${connectorId}`

/** Opens a page and waits for its rows. */
const rows = (name: string, path: (fleet: OpenedFleet) => string): Step => ({
  name,
  async take(page, fleet) {
    await open(page, fleet, path(fleet))
    await row(page)
  },
})

/** The same for devices of a filter, with how many match. */
const filtered = (name: string, search: string): Step => ({
  name: `devices, ${name}`,
  async take(page, fleet) {
    await open(page, fleet, `${connectorOf(fleet)}?${search}`)
    await row(page)
    await text(page, /^[\d,]+ of [\d,]+$/)
  },
})

export const steps: readonly Step[] = [
  {
    name: 'overview',
    async take(page, fleet) {
      await open(page, fleet, '/')
      await page.getByRole('main').getByText('Assets').first().waitFor()
    },
  },
  rows('connectors', () => '/connectors'),
  rows('devices', connectorOf),
  {
    name: 'devices, next page',
    async before(page, fleet) {
      await open(page, fleet, connectorOf(fleet))
      await row(page)
    },
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
    async before(page, fleet) {
      await open(page, fleet, `${connectorOf(fleet)}?tag=site:north`)
      await row(page)
    },
    async take(page) {
      await page.locator('main tbody').getByRole('checkbox').first().check()
      await page.getByRole('button', { name: 'Lock', exact: true }).click()
      await page.getByRole('dialog').getByText('Lock:').waitFor()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'search by Ctrl-K',
    async before(page, fleet) {
      await open(page, fleet, '/')
      await page.getByRole('main').getByText('Assets').first().waitFor()
    },
    async take(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(rare)
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
  },
  rows('device', (fleet) => `${connectorOf(fleet)}/devices/${device}`),
  rows('log of the connector', (fleet) => `${connectorOf(fleet)}/log`),
  {
    name: 'certificates of the connector',
    async take(page, fleet) {
      await open(page, fleet, `${connectorOf(fleet)}/certificates`)
      await page.locator('main section').first().waitFor()
    },
  },
  {
    name: 'content of the connector',
    async take(page, fleet) {
      await open(page, fleet, `${connectorOf(fleet)}/content`)
      await page.locator('main section').first().waitFor()
    },
  },
  rows('assets', () => '/assets'),
  rows('assets, the twentieth page', () => '/assets?page=20'),
  rows('assets of a group', ({ groupId }) => `/assets?group=${groupId}`),
  rows('assets, rare letters', () => `/assets?text=${rare}`),
  rows('assets, letters of all', () => '/assets?text=device'),
  {
    name: 'assets of a level',
    async take(page, fleet) {
      await open(page, fleet, '/assets?level=CRITICAL')
      await row(page)
    },
  },
  rows('conditions', () => '/conditions'),
  {
    name: 'asset',
    async take(page, fleet) {
      await open(page, fleet, `/assets/${fleet.assetId}`)
      await page.getByRole('main').getByText('temperature').first().waitFor()
    },
  },
]
