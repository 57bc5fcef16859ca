import { chromium, type Page } from 'playwright-core'
import { browserFlags, findBrowser } from '../../../server/test/fixtures/browser/browser.ts'
import type { OpenedBoard } from './board.ts'

/** The work of a page while it scrolled. */
export type Frames = {
  /** Frames of each whole second. */
  readonly perSecond: readonly number[]
  /** Tasks that blocked the page for more than 50 ms, in milliseconds. */
  readonly longTasks: readonly number[]
}

/** @throws Error if this machine has no Chromium. */
export async function openBrowser() {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error('this machine has no Chromium')
  const browser = await chromium.launch({ executablePath, args: browserFlags })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  return { page: await context.newPage(), close: () => browser.close() }
}

/** Shows the dashboard, and waits until it has its rows and follows their values. */
export async function showBoard(page: Page, board: OpenedBoard, rows: number): Promise<void> {
  await page.goto(`${board.httpUrl}${board.path}`)
  await page.locator('[data-state=live]').waitFor()
  await page
    .locator('tbody tr')
    .nth(rows - 1)
    .waitFor()
  await settle(page)
}

/** Shows a page of the same height with nothing in it. */
export async function showEmpty(page: Page): Promise<void> {
  const height = await page.evaluate('document.scrollingElement.scrollHeight')
  await page.goto('about:blank')
  await page.setContent(`<div style="height: ${height}px"></div>`)
  await settle(page)
}

/** The first loading and rendering is over by then: this measures a page that is left open. */
const settleMs = 3_000
const settle = (page: Page) => page.waitForTimeout(settleMs)

/** Scrolls a page up and down, a step a frame, and measures its frames. */
export async function scroll(page: Page, seconds: number): Promise<Frames> {
  return (await page.evaluate(`(${scrolled})(${seconds})`)) as Frames
}

const scrolled = `async (seconds) => {
  const longTasks = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration)
  })
  observer.observe({ type: 'longtask' })
  const perSecond = Array.from({ length: seconds }, () => 0)
  const { scrollingElement: element } = document
  const start = performance.now()
  let step = 30
  for (;;) {
    const now = await new Promise((resolve) => requestAnimationFrame(resolve))
    const second = Math.floor((now - start) / 1000)
    if (second >= seconds) break
    if (second >= 0) perSecond[second] += 1
    const before = element.scrollTop
    element.scrollTop = before + step
    if (element.scrollTop === before) step = -step
  }
  for (const { duration } of observer.takeRecords()) longTasks.push(duration)
  observer.disconnect()
  return { perSecond, longTasks }
}`

/** @returns the time, in milliseconds since 1970, of the frame that has a text in a row. */
export async function frameWith(page: Page, name: string, text: string): Promise<number> {
  return (await page.evaluate(
    `(${shown})(${JSON.stringify(name)}, ${JSON.stringify(text)})`,
  )) as number
}

const shown = `async (name, text) => {
  const link = [...document.querySelectorAll('tbody a')].find((one) => one.textContent === name)
  const cell = link.closest('tr').cells[1]
  while (!cell.textContent.includes(text)) await new Promise(requestAnimationFrame)
  return performance.timeOrigin + performance.now()
}`
