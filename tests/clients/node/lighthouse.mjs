// Lighthouse's scores of a page as JSON: node lighthouse.mjs CHROMIUM ADDRESS SLOWDOWN
// SLOWDOWN is how many times slower than this machine's the processor of a phone is taken to be.
// {"scores": {category: 0..100}, "mark": of the processor, "shift": cumulative layout shift, "faults": ["category: audit"]}

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";
import * as constants from "lighthouse/core/config/constants.js";

const [chromePath, address, slowdown] = process.argv.slice(2);
const userDataDir = mkdtempSync(join(tmpdir(), "lighthouse-"));
const flags = readFileSync(new URL("../../browser/chromium-flags.json", import.meta.url), "utf8");
const chromeFlags = ["--headless=new", ...JSON.parse(flags)];
const chrome = await launch({ chromePath, chromeFlags, userDataDir, logLevel: "silent" });
try {
  const { lhr } = await lighthouse(address, {
    port: chrome.port,
    logLevel: "silent",
    output: "json",
    throttling: { ...constants.throttling.mobileSlow4G, cpuSlowdownMultiplier: Number(slowdown) },
    onlyCategories: ["performance", "accessibility", "best-practices", "seo"],
  });
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const scores = {};
  const faults = [];
  for (const [name, category] of Object.entries(lhr.categories)) {
    scores[name] = Math.round(category.score * 100);
    for (const { id, weight } of category.auditRefs) {
      const { score, displayValue } = lhr.audits[id];
      if (weight && score !== null && score < 0.9) faults.push(`${name}: ${id} ${displayValue ?? ""}`.trim());
    }
  }
  console.log(JSON.stringify({ scores, mark: lhr.environment.benchmarkIndex, shift: lhr.audits["cumulative-layout-shift"].numericValue, faults }));
} finally {
  await chrome.kill();
  rmSync(userDataDir, { recursive: true, force: true });
}
