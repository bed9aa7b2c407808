// BLAST's tables: outfmt 6, and outfmt 7, which has comments.
#include "align/formats/aligned_rows.hpp"
#include "align/formats/blast_columns.hpp"
#include "align/formats/lines.hpp"
#include "align/subjects.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/version.hpp"

namespace program {
namespace {

class BlastWriter : public ResultWriter {
 public:
  BlastWriter(const Context& context, bool comments)
      : context_(context),
        columns_(blast_columns(context.settings.columns)),
        comments_(comments),
        out_(context.settings.output) {}

  void write(const Result& result) override {
    ++queries_;
    if (comments_) out_.write(head_of(result));
    for (const align::Hit& hit : result.hits) {
      for (const BlastColumn* const column : columns_) lines_.field(column->text({context_, result, hit}));
      lines_.end();
    }
    out_.write(lines_.text());
    lines_.clear();
  }

  void finish() override {
    if (comments_) out_.write("# BLAST processed " + std::to_string(queries_) + " queries\n");
    out_.commit();
  }

 private:
  std::string head_of(const Result& result) const {
    std::string text = "# genocl-align " GENOCL_VERSION "\n# Query: " + full_name(result.name, result.description) +
                       "\n# Database: " + name_of(context_.settings.subjects) + "\n";
    if (!result.hits.empty()) {
      std::string titles;
      for (const BlastColumn* const column : columns_) titles.append(titles.empty() ? "" : ", ").append(column->title);
      text += "# Fields: " + titles + "\n";
    }
    return text + "# " + std::to_string(result.hits.size()) + " hits found\n";
  }

  Context context_;
  std::vector<const BlastColumn*> columns_;
  const bool comments_;
  genocl::io::OutputFile out_;
  Lines lines_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_blast_writer(const Context& context, bool comments) {
  return std::make_unique<BlastWriter>(context, comments);
}

}  // namespace program
