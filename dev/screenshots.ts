import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'

/**
 * `node dev/screenshots.ts`: takes the pictures of the README and of the docs from the running
 * demo, in the Chromium of the machine (`CHROMIUM`, else `/usr/bin/chromium`).
 */
const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs', 'images')
const size = { width: 1280, height: 800 }

type Demo = {
  readonly console: string
  readonly account: { readonly email: string; readonly password: string }
}

const demo: Demo = JSON.parse(
  await readFile(join(process.env.MILLRACE_DATA ?? join(root, '.millrace'), 'demo.json'), 'utf8'),
)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking'],
})
const page = await browser.newPage({ viewport: size, locale: 'en-GB', reducedMotion: 'reduce' })
await page.goto(demo.console)
await page.getByLabel('E-mail address').fill(demo.account.email)
await page.locator('input[name=password]').fill(demo.account.password)
await page.getByRole('button', { name: 'Sign in', exact: true }).click()
await page.getByText('Messages a second').waitFor()
await take(page, 'overview')

await page.getByRole('link', { name: 'Weather station seattle-1' }).click()
await page.getByRole('heading', { level: 1, name: 'Weather station seattle-1' }).waitFor()
await take(page, 'asset')
await page.goto(new URL('/connect', demo.console).href)
await page.getByLabel('Program', { exact: true }).waitFor()
await take(page, 'connect')
await page.goto(new URL('/dashboards', demo.console).href)
await page.getByRole('link', { name: 'Weather in Seattle' }).click()
await page.getByRole('heading', { level: 1, name: 'Weather in Seattle' }).waitFor()
await take(page, 'dashboard')
await browser.close()

/** Waits until what is read has come, which no answer marks. */
async function take(shown: Page, name: string): Promise<void> {
  await shown.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined)
  await shown.screenshot({ path: join(folder, `${name}.png`) })
  console.log(`docs/images/${name}.png`)
}
