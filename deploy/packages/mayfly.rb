class Mayfly < Formula
  desc "Disposable inboxes for automated tests"
  homepage "https://github.com/OWNER/mayfly"
  version "{version}"
  license "MIT"

  on_macos do
    url "{url}/mayfly-darwin-arm64.tar.gz"
    sha256 "{sha256 mayfly-darwin-arm64.tar.gz}"
    depends_on arch: :arm64
  end

  on_linux do
    on_intel do
      url "{url}/mayfly-linux-x64.tar.gz"
      sha256 "{sha256 mayfly-linux-x64.tar.gz}"
    end
    on_arm do
      url "{url}/mayfly-linux-arm64.tar.gz"
      sha256 "{sha256 mayfly-linux-arm64.tar.gz}"
    end
  end

  def install
    bin.install "mayfly"
  end

  service do
    run [opt_bin/"mayfly", "serve", "--store", "lmdb:#{var}/mayfly"]
    keep_alive true
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mayfly --version").strip
  end
end
