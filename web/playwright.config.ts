// The browser is the system's: nothing is downloaded. A sandbox of its own it cannot have as root.

import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/run",
  fullyParallel: true,
  workers: 2,
  timeout: 20_000,
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 900 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu"],
    },
  },
});
