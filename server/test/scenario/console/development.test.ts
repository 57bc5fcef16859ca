import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { openConsole, skip } from '../../fixtures/browser/console.ts'
import { testPlatform } from '../../fixtures/platform.ts'
import { root } from '../../fixtures/processes/page.ts'
import { freePort, startProgram } from '../../fixtures/processes/programs.ts'

test('the development server shows the sources with a platform that runs', {
  skip,
}, async (t) => {
  const { httpUrl, account } = await testPlatform(t)
  const port = await freePort()
  // The program that `npm run dev -w console` runs; npm would leave it behind at the end.
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const command = [process.execPath, vite, join(root, 'console'), '--port', String(port)]
  const env = { MILLRACE_URL: new URL(httpUrl).origin }
  await startProgram(t, command, { ports: [port], env })
  const shown = await openConsole(t, `http://127.0.0.1:${port}`)
  const page = await shown.tab()
  await shown.signIn(page, account)
  await page.getByRole('link', { name: 'Connect a device' }).waitFor()
  const colour = await page.evaluate(colourOfButton)
  assert.match(String(colour), /^rgb\(/, 'a component has its style sheet')
  await page.getByText('Live:').waitFor()
})

/** A text, since it runs in the page. */
const colourOfButton = `(() => {
  const links = [...document.querySelectorAll('a')]
  const button = links.find(({ textContent }) => textContent === 'Connect a device')
  return getComputedStyle(button).backgroundColor
})()`
